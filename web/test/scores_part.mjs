import {check, checkEqual} from './checks.mjs';
import {columnMeans, fullestDataset, inOrder, isNumber, mean, sourcesOf} from './expected.mjs';

// [{model, cells: {"dataset source": {text, title, bold}}}] from top to bottom.
function readRows(page, id) {
  return page.$$eval(`[id="${id}"] tr[data-model]`, (rows) => rows.map((row) => {
    const cells = {};
    row.querySelectorAll('[data-source]').forEach((line) => {
      const name = `${line.dataset.dataset} ${line.dataset.source}`;
      cells[name] = {text: line.textContent, title: line.title, bold: !!line.querySelector('b')};
    });
    return {model: row.dataset.model, cells};
  }));
}

function select(page, id, control, value) {
  return page.select(`[id="${id}"] select[data-control="${control}"]`, value);
}

const headerOf = (id, dataset) => `[id="${id}"] th[data-column="dataset ${dataset}"]`;

function checkCell(where, cell, expected) {
  if (!isNumber(expected)) {
    check(`${where} is empty and says why`, cell.text === '' && cell.title !== '', cell.text);
    return;
  }
  const shown = parseFloat(cell.text);
  check(`${where} shows ${expected}`, Math.abs(shown - expected) <= 0.0501, cell.text);
  check(`${where} has no broken number`, !/NaN|null|undefined/.test(cell.text + cell.title),
    cell.text + cell.title);
}

function checkCells(rows, table, sources, metric) {
  checkEqual(`${table.id}: models`, rows.map((row) => row.model).sort(),
    table.models.map((model) => model.name).sort());
  for (const row of rows) {
    for (const {name} of table.datasets) {
      for (const source of sources) {
        checkCell(`${table.id} ${row.model} ${name} ${source} ${metric}`,
          row.cells[`${name} ${source}`], mean(table, row.model, name, source, metric));
      }
    }
  }
}

function checkBest(rows, table, source, metric) {
  for (const {name} of table.datasets) {
    const best = Math.max(...columnMeans(table, name, source, metric).filter(isNumber));
    for (const row of rows) {
      const value = mean(table, row.model, name, source, metric);
      const isBest = isNumber(value) && value.toFixed(1) === best.toFixed(1);
      checkEqual(`${table.id}: ${row.model} on ${name} is bold`,
        row.cells[`${name} ${source}`].bold, isBest);
    }
  }
}

async function checkOrder(page, table, dataset, source, metric, direction) {
  const rows = await readRows(page, table.id);
  const found = rows.map((row) => mean(table, row.model, dataset, source, metric));
  checkEqual(`${table.id}: rows by ${dataset}, ${source}, ${direction}`, found,
    inOrder(found, direction === 'descending'));
  const state = await page.$eval(headerOf(table.id, dataset), (node) =>
    node.getAttribute('aria-sort'));
  checkEqual(`${table.id}: aria-sort`, state, direction);
}

async function testSorting(page, table, source, metric) {
  const dataset = fullestDataset(table, source, metric);
  const button = `${headerOf(table.id, dataset)} button`;
  await page.click(button);
  await checkOrder(page, table, dataset, source, metric, 'descending');
  await page.click(button);
  await checkOrder(page, table, dataset, source, metric, 'ascending');
  // The focus stays on the header, so Enter sorts again.
  await page.keyboard.press('Enter');
  await checkOrder(page, table, dataset, source, metric, 'descending');
}

async function testEachView(page, table, metrics) {
  const found = new Set();
  const expected = new Set();
  for (const {key} of metrics) {
    await select(page, table.id, 'metric', key);
    for (const source of sourcesOf(table, key)) {
      await select(page, table.id, 'source', source);
      const rows = await readRows(page, table.id);
      checkCells(rows, table, [source], key);
      checkBest(rows, table, source, key);
      found.add(JSON.stringify(rows.map((row) => Object.values(row.cells).map((one) => one.text))));
      expected.add(JSON.stringify(table.datasets.map(({name}) =>
        columnMeans(table, name, source, key).map((value) => value?.toFixed(1)))));
    }
  }
  check(`${table.id}: each choice shows other numbers`, found.size >= expected.size,
    `${found.size} of ${expected.size}`);
}

export async function testScoreTable(page, table, data) {
  const metric = data.metrics.map(({key}) => key).find((key) => sourcesOf(table, key).length);
  if (!metric) return;
  const sources = sourcesOf(table, metric);
  await select(page, table.id, 'metric', metric);
  await select(page, table.id, 'source', 'all');
  checkCells(await readRows(page, table.id), table, sources, metric);
  await testSorting(page, table, sources[0], metric);
  await testEachView(page, table, data.metrics);
  await select(page, table.id, 'metric', metric);
  await select(page, table.id, 'source', sources.at(-1));
  await page.click(`[id="${table.id}"] th[data-column="model"] button`);
  await testSorting(page, table, sources.at(-1), metric);
}
