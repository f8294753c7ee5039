import {check, checkEqual} from './checks.mjs';
import {inOrder, isNumber} from './expected.mjs';

function readTexts(page, id) {
  return page.$$eval(`[id="${id}"] tbody tr`, (rows) =>
    rows.map((row) => [...row.children].map((cell) => cell.textContent)));
}

async function readNumbers(page, id, column) {
  const texts = await readTexts(page, id);
  return texts.map((row) => row[column] === '' ? null : parseFloat(row[column]));
}

async function testColumn(page, table, column) {
  const header = `[id="${table.id}"] th[data-column="${column}"]`;
  const title = table.columns[column].title;
  for (const direction of ['descending', 'ascending']) {
    await page.click(`${header} button`);
    const found = await readNumbers(page, table.id, column);
    checkEqual(`${table.id}: rows by ${title}, ${direction}`, found,
      inOrder(found, direction === 'descending'));
    checkEqual(`${table.id}: aria-sort of ${title}`,
      await page.$eval(header, (node) => node.getAttribute('aria-sort')), direction);
  }
}

const hasNumbers = (table, column) => table.columns[column].kind !== 'text'
  && table.rows.some((row) => isNumber(row[column]) || isNumber(row[column]?.mean));

export async function testTable(page, table) {
  const texts = await readTexts(page, table.id);
  checkEqual(`${table.id}: rows`, texts.length, table.rows.length);
  check(`${table.id} has no broken number`, !/NaN|null|undefined|\[object/.test(texts.join(' ')),
    texts.join(' '));
  for (let column = 0; column < table.columns.length; column++) {
    if (hasNumbers(table, column)) await testColumn(page, table, column);
  }
}
