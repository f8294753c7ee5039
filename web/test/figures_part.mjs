import {check, checkEqual} from './checks.mjs';
import {isNumber, shapesExpected} from './expected.mjs';

function readFigures(page) {
  return page.$$eval('#figures figure', (figures) => figures.map((figure) => {
    const svg = figure.querySelector('svg');
    return {id: figure.id, text: svg?.textContent ?? '', markup: svg?.innerHTML ?? '',
      shapes: svg?.querySelectorAll('path, rect, circle, polygon, polyline, line').length ?? 0,
      images: svg?.querySelectorAll('image').length ?? 0,
      width: svg?.getBoundingClientRect().width ?? 0};
  }));
}

function checkFigure(drawn, figure) {
  const least = shapesExpected(figure);
  check(`${figure.id} has at least ${least} shapes`, drawn.shapes >= least, drawn.shapes);
  check(`${figure.id} has a width`, drawn.width >= 200, drawn.width);
  check(`${figure.id} has text`, drawn.text.length > 0);
  check(`${figure.id} has no broken number`, !/NaN|undefined|Infinity/.test(drawn.markup));
  if (figure.kind === 'heatmap') checkEqual(`${figure.id}: pictures`, drawn.images, 1);
  else checkNames(drawn, figure);
}

function checkNames(drawn, figure) {
  for (const {name} of figure.series) {
    check(`${figure.id} names ${name}`, drawn.text.includes(name));
  }
}

async function testReadout(page, data) {
  const figure = data.figures.find((one) => one.kind === 'heatmap' && !one.protocol);
  if (!figure) return;
  await page.hover(`[id="${figure.id}"] image`);
  const text = await page.$eval(`[id="${figure.id}"] .readout`, (node) => node.textContent);
  const [, row, column, value] = text.match(/Row (\d+), column (\d+): ([\d.]+)/) ?? [];
  const expected = figure.values[Number(row) * figure.side + Number(column)];
  checkEqual(`${figure.id}: value under the mouse`, Number(value), expected);
}

// ECharts puts the tooltip beside the drawing, as a later child of the same box.
const tooltipText = (id) => [...document.getElementById(id).querySelector('.chart').children]
  .slice(1).map((node) => node.textContent).join('');

// Only then there is a number wherever the mouse is.
const hasFullSeries = (figure) => figure.series?.some((one) => one.mean.every(isNumber));

async function testTooltip(page, figure) {
  await page.mouse.move(0, 0);
  await page.hover(`[id="${figure.id}"] svg`);
  let text = '';
  for (let tries = 0; tries < 20 && !text; tries++) {
    await new Promise((done) => setTimeout(done, 50));
    text = await page.evaluate(tooltipText, figure.id);
  }
  check(`${figure.id} tells its numbers under the mouse`,
    /\d\.\d/.test(text) && !/NaN|undefined/.test(text), text);
}

export async function testFigures(page, data) {
  if (!data.figures.length) return;
  for (const protocol of data.protocols) {
    await page.select('#figures select[data-control="protocol"]', protocol);
    const expected = data.figures.filter((one) => !one.protocol || one.protocol === protocol);
    const drawn = await readFigures(page);
    checkEqual(`figures for ${protocol}`, drawn.map((one) => one.id),
      expected.map((one) => one.id));
    drawn.forEach((one, index) => checkFigure(one, expected[index]));
    for (const figure of expected.filter(hasFullSeries)) await testTooltip(page, figure);
  }
  await testReadout(page, data);
}
