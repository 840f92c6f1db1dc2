import type { Template } from '@trellis/workspace-db/roles/templates'

const EVERYWHERE: readonly Template[] = ['analyst', 'bi']
export const isForEverySchema = (template: Template): boolean => EVERYWHERE.includes(template)

const createTemplateText = (
  template: Template,
  label: string,
  about: { description: string; rights: readonly string[] },
) => ({
  template,
  label,
  needs_schemas: !isForEverySchema(template),
  ...about,
})

export const TEMPLATE_TEXTS = [
  createTemplateText('reader', 'Reader', {
    description: 'Reads every table of a schema, those made later too.',
    rights: ['Read tables and views'],
  }),
  createTemplateText('writer', 'Writer', {
    description: 'Reads and changes rows in a schema, and makes no tables.',
    rights: ['Read tables and views', 'Insert, update and delete rows', 'Empty tables'],
  }),
  createTemplateText('admin', 'Admin', {
    description: 'Makes, changes and drops tables and views in a schema. Functions and schemas are made in Trellis.',
    rights: ['Read tables and views', 'Insert, update and delete rows', 'Make, change and drop tables and views'],
  }),
  createTemplateText('analyst', 'Analyst', {
    description: 'Reads every schema, those made later too. A statement may take five minutes.',
    rights: ['Read tables and views of every schema', 'Statements of five minutes at most'],
  }),
  createTemplateText('loader', 'Loader', {
    description: 'Brings rows into one schema, with ten connections.',
    rights: ['Read tables and views', 'Insert, update and delete rows', 'Empty tables', 'Ten connections'],
  }),
  createTemplateText('bi', 'BI tool', {
    description: 'Reads every schema, those made later too, with twenty connections.',
    rights: ['Read tables and views of every schema', 'Twenty connections'],
  }),
]
