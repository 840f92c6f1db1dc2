import type { SparkTemplate, SparkTemplates } from '@trellis/contract/sparks/sparks.schemas'
import { cohort } from './cohort.ts'
import { dataQuality } from './data-quality.ts'
import { filteredTable } from './filtered-table.ts'
import { funnel } from './funnel.ts'
import { kpiPage } from './kpi-page.ts'
import { map } from './map.ts'
import { metricTree } from './metric-tree.ts'
import type { Template } from './template.ts'
import { trend } from './trend.ts'

const TEMPLATES: Readonly<Record<SparkTemplate, Template>> = {
  kpi_page: kpiPage,
  trend,
  cohort,
  funnel,
  filtered_table: filteredTable,
  map,
  metric_tree: metricTree,
  data_quality: dataQuality,
}

export const getTemplate = (template: SparkTemplate): Template => TEMPLATES[template]

export const listSparkTemplates = (): SparkTemplates => ({
  templates: Object.values(TEMPLATES).map(({ template, name, description, fields }) => ({
    template,
    name,
    description,
    fields,
  })),
})
