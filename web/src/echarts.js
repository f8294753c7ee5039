// Only the parts of ECharts that the figures use.
import * as echarts from 'echarts/core';
import {BarChart, CustomChart, LineChart} from 'echarts/charts';
import {GridComponent, LegendComponent, TitleComponent, TooltipComponent} from 'echarts/components';
import {SVGRenderer} from 'echarts/renderers';

echarts.use([BarChart, CustomChart, LineChart, GridComponent, LegendComponent, TitleComponent,
  TooltipComponent, SVGRenderer]);

export {echarts};
