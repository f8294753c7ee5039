// What a page must show, computed from its data and not with the code of the page.
const SOURCES = ['strict', 'published', 'paper'];

export const isNumber = (value) => typeof value === 'number';

export function mean(table, model, dataset, source, metric) {
  const cell = table.cells.find((one) =>
    one.model === model && one.dataset === dataset && one.source === source);
  const score = cell?.scores[metric];
  return isNumber(score?.mean) ? score.mean : null;
}

export function sourcesOf(table, metric) {
  return SOURCES.filter((source) => table.cells.some((cell) =>
    cell.source === source && isNumber(cell.scores[metric]?.mean)));
}

export function columnMeans(table, dataset, source, metric) {
  return table.models.map(({name}) => mean(table, name, dataset, source, metric));
}

// The column with most values: the best one to see an order in.
export function fullestDataset(table, source, metric) {
  const count = ({name}) => columnMeans(table, name, source, metric).filter(isNumber).length;
  return [...table.datasets].sort((a, b) => count(b) - count(a))[0].name;
}

// All values in order, the missing ones at the end.
export function inOrder(values, descending) {
  const numbers = values.filter(isNumber);
  const sorted = [...numbers].sort((a, b) => descending ? b - a : a - b);
  return [...sorted, ...values.filter((value) => !isNumber(value)).map(() => null)];
}

export function shapesExpected(figure) {
  const points = (series) => series.mean.filter(isNumber).length;
  if (figure.kind === 'heatmap') return 2 * Math.ceil(figure.side / figure.block);
  if (figure.kind === 'bars') return figure.series.reduce((sum, one) => sum + points(one), 0);
  return figure.series.filter(points).length;
}
