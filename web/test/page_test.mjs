// Opens a report in a browser and uses it.
// Usage: node test/page_test.mjs PAGE.html SCREENSHOT_FOLDER
import {mkdirSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import puppeteer from 'puppeteer-core';
import {check, checkEqual, summary} from './checks.mjs';
import {testFigures} from './figures_part.mjs';
import {testScoreTable} from './scores_part.mjs';
import {testTable} from './tables_part.mjs';

const [pagePath, screenshots] = process.argv.slice(2);
if (!pagePath || !screenshots) {
  console.error('usage: node test/page_test.mjs PAGE.html SCREENSHOT_FOLDER');
  process.exit(2);
}
const address = pathToFileURL(resolve(pagePath)).href;
const WIDE = {width: 1280, height: 900};
const NARROW = {width: 400, height: 800};

function reportTrouble(page) {
  page.on('console', (message) => {
    check('nothing on the console', !['error', 'warn'].includes(message.type()), message.text());
  });
  page.on('pageerror', (error) => check('no error on the page', false, error.message));
  page.on('request', (request) => {
    const allowed = request.url() === address || request.url().startsWith('data:');
    check('no request but for the page', allowed, request.url().slice(0, 200));
  });
}

async function open(browser, viewport, scheme) {
  const page = await browser.newPage();
  reportTrouble(page);
  await page.setViewport(viewport);
  await page.emulateMediaFeatures([{name: 'prefers-color-scheme', value: scheme}]);
  await page.goto(address);
  return page;
}

async function screenshot(page, name) {
  await page.screenshot({path: join(screenshots, `${name}.png`), fullPage: true});
}

async function testTexts(page, data) {
  checkEqual('title of the window', await page.title(), data.title);
  checkEqual('heading', await page.$eval('h1', (node) => node.textContent), data.title);
  const findings = await page.$$eval('#findings li', (nodes) =>
    nodes.map((one) => one.textContent));
  checkEqual('findings', findings, data.findings);
  const broken = await page.$$eval('nav a', (links) => links.map((link) => link.hash.slice(1))
    .filter((id) => !document.getElementById(id)));
  checkEqual('links to nothing', broken, []);
}

async function testNarrow(browser) {
  const page = await open(browser, NARROW, 'light');
  await screenshot(page, 'narrow_light');
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  check('a narrow page does not scroll sideways', width <= NARROW.width, `${width} pixels`);
  await page.close();
}

async function testDark(browser) {
  const page = await open(browser, WIDE, 'dark');
  await screenshot(page, 'wide_dark');
  const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [red] = colour.match(/\d+/g).map(Number);
  check('the dark page is dark', red < 80, colour);
  await page.close();
}

async function testAll(browser) {
  const page = await open(browser, WIDE, 'light');
  const data = await page.$eval('#data', (node) => JSON.parse(node.textContent));
  await screenshot(page, 'wide_light');
  await testTexts(page, data);
  for (const table of data.score_tables) await testScoreTable(page, table, data);
  for (const table of data.tables) await testTable(page, table);
  await testFigures(page, data);
  await page.close();
  await testDark(browser);
  await testNarrow(browser);
}

mkdirSync(screenshots, {recursive: true});
const browser = await puppeteer.launch({executablePath: '/usr/bin/chromium', headless: true,
  args: ['--headless=new', '--no-sandbox']});
try {
  await testAll(browser);
} catch (error) {
  check('the test runs to its end', false, error.stack);
} finally {
  await browser.close();
}
process.exitCode = summary() ? 0 : 1;
