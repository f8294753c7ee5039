// What the bundle offers: renderSvg needs no page, start builds one.
export {renderSvg} from './charts.js';
export {start} from './page.js';
