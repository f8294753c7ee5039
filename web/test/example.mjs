// Writes a small made-up data document of all kinds. Usage: node test/example.mjs OUTFILE
import {writeFileSync} from 'node:fs';

const DATASETS = ['texas', 'wisconsin', 'cornell', 'chameleon', 'squirrel', 'crocodile', 'actor',
  'cora', 'citeseer', 'pubmed', 'photo', 'computers', 'twitch', 'facebook'];
const MODELS = [['disenlink', 'DisenLink'], ['gae', 'GAE'], ['vgae', 'VGAE'], ['arvga', 'ARVGA'],
  ['sage', 'GraphSAGE'], ['gat', 'GAT'], ['seal', 'SEAL'], ['n2v', 'node2vec'], ['mf', 'MF'],
  ['cn', 'Common neighbours'], ['aa', 'Adamic-Adar'], ['ra', 'Resource allocation']];
const METRICS = [['auc', 'AUC'], ['ap', 'AP'], ['mrr', 'MRR'], ['hits10', 'Hits@10']];
const SOURCES = ['strict', 'published', 'paper'];

let state = 7;
function random() {
  state = state * 1103515245 + 12345 & 0x7fffffff;
  return state / 0x7fffffff;
}

const capital = (name) => name[0].toUpperCase() + name.slice(1);
const round = (value, digits) => Number(value.toFixed(digits));

function score(center, runs) {
  const mean = round(Math.min(center + 8 * random(), 99.5), 3);
  return {mean, deviation: runs > 1 ? round(0.2 + 3 * random(), 3) : null};
}

function scoresOf(source, runs, model) {
  const base = {strict: 62, published: 80, paper: 83}[source] + 8 / (model + 1);
  const scores = {auc: score(base, runs)};
  if (source === 'paper') return scores;
  scores.ap = score(base - 20, runs);
  scores.mrr = score(base / 10, runs);
  scores.hits10 = score(base / 5, runs);
  return scores;
}

function cells(models, datasets) {
  const result = [];
  models.forEach(([model], index) => datasets.forEach((dataset) => SOURCES.forEach((source) => {
    if (model === 'seal' && dataset === 'squirrel' || random() < 0.06) return;
    const runs = model === 'n2v' ? 1 : 5;
    const leak = {strict: 0, published: round(80 + 9 * random(), 1), paper: null}[source];
    result.push({model, dataset, source, runs, leak, scores: scoresOf(source, runs, index)});
  })));
  return result;
}

function scoreTable(id, title, models, datasets) {
  return {id, title, note: 'Made-up numbers: they show the page, not the models.',
    datasets: datasets.map((name) => ({name, title: capital(name)})),
    models: models.map(([name, shown]) => ({name, title: shown})), cells: cells(models, datasets)};
}

function bars(protocol, floor) {
  const mean = (model, dataset) =>
    model === 6 && dataset === 4 ? null : round(floor + (12 - model) * 1.3 + 14 * random(), 2);
  return {id: `main-${protocol}`, title: `All models, ${protocol} protocol`, kind: 'bars', protocol,
    caption: 'Mean over five runs; the thin lines are one deviation. Made-up numbers.',
    y: 'AUC, %', categories: DATASETS.map(capital), series: MODELS.map(([, name], model) => ({name,
      mean: DATASETS.map((_, dataset) => mean(model, dataset)),
      deviation: name === 'node2vec' ? null : DATASETS.map(() => round(0.3 + 2 * random(), 2))}))};
}

function curve(name, xs, height, wave) {
  return {name, mean: xs.map((x, i) => round(height + wave * Math.sin(i / xs.length * 5), 2)),
    deviation: xs.map(() => round(0.3 + random(), 2))};
}

function curves(id, protocol, title, x, xs) {
  const series = ['Cora', 'Citeseer', 'Texas', 'Chameleon', 'Photo'].map((name, i) =>
    curve(name, xs, 62 + 6 * i, 2 + i));
  series[1].deviation = null;
  if (xs.length > 4) series[2].mean[3] = null;
  return {id, title, caption: 'Bands are one deviation to each side. Made-up numbers.', protocol,
    kind: 'curves', x, y: 'AUC, %', xs, series};
}

function heatmap(id, side, block) {
  const values = [];
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const near = Math.floor(row / block) === Math.floor(column / block);
      values.push(row === column ? 1 : round((near ? 0.45 : 0.03) + 0.3 * random(), 3));
    }
  }
  return {id, title: 'Correlation of the hidden features', protocol: null, kind: 'heatmap',
    caption: `Five factors of ${block} features. Made-up numbers.`, side, block, values};
}

const data = {
  title: 'Example report: all numbers are made up',
  version: '0.0.0',
  findings: ['This page shows made-up numbers only.',
    'Under the published protocol 85 % of the answers can be looked up; under strict none.',
    'A text with <b>marks</b> & signs must come out as it went in.'],
  protocols: ['strict', 'published'],
  metrics: METRICS.map(([key, title]) => ({key, title})),
  score_tables: [scoreTable('table2', 'Table 2: link prediction', MODELS, DATASETS),
    scoreTable('table3', 'Table 3: without one part', MODELS.slice(0, 3), DATASETS.slice(0, 4))],
  missing: {text: 'not run yet', cells: [{model: 'seal', dataset: 'squirrel',
    source: 'strict', why: 'needs more memory than this machine has'}]},
  tables: [{id: 'table1', title: 'Table 1: datasets', note: 'Homophily is in percent.',
    columns: [{title: 'Dataset', kind: 'text'}, {title: 'Nodes', kind: 'number', digits: 0},
      {title: 'Homophily', kind: 'number', digits: 1}, {title: 'AUC, %', kind: 'score'}],
    rows: [['Cora', 2708, 81.04, {mean: 91.2, deviation: 0.4, runs: 5}],
      ['Texas', 183, 10.8, {mean: 77.7, deviation: null, runs: 1}],
      ['Squirrel', 5201, null, null],
      ['Facebook', 22470, 88.5, {mean: 99.1, deviation: 0.1, runs: 5}]]}],
  figures: [bars('strict', 52), bars('published', 30),
    curves('factors-strict', 'strict', 'Number of factors', 'Number of factors K',
      [1, 2, 3, 4, 5, 6, 7, 8]),
    curves('factors-published', 'published', 'Number of factors', 'Number of factors K',
      [1, 2, 3, 4, 5, 6, 7, 8]),
    curves('weight', null, 'Weight of the second loss', 'Weight', [0.001, 0.01, 0.1, 1, 10]),
    curves('training', null, 'Training', 'Epoch', Array.from({length: 120}, (_, i) => i + 1)),
    heatmap('correlation-full', 160, 32), heatmap('correlation-small', 40, 8)],
};

writeFileSync(process.argv[2], JSON.stringify(data));
