import { getCatalogue } from '@trellis/contract/explorer/catalogue.endpoints'
import * as explorer from '@trellis/contract/explorer/explorer.endpoints'
import * as labels from '@trellis/contract/explorer/labels.endpoints'
import * as rowEdits from '@trellis/contract/explorer/row-edits.endpoints'
import * as rows from '@trellis/contract/explorer/rows.endpoints'
import { handle } from '../../http/handle.ts'
import * as catalogue from './catalogue/get-catalogue.ts'
import * as browse from './browse.service.ts'
import * as change from './change-tables.ts'
import * as exports from './exports.ts'
import * as label from './labels.ts'
import * as rowEdit from './row-edits/row-edits.ts'
import * as row from './rows.ts'
import { getSchemaDiagram } from './schema-diagram.ts'
import * as details from './table-details.service.ts'

export const explorerRoutes = [
  handle(explorer.listDatabases, (_, ctx) => browse.listDatabases(ctx)),
  handle(explorer.listSchemas, ({ params }, ctx) => browse.listSchemas(ctx, params)),
  handle(explorer.getDatabaseInformation, ({ params }, ctx) => browse.getDatabaseInformation(ctx, params)),
  handle(explorer.listTables, ({ params, query }, ctx) => browse.listTables(ctx, params, query)),
  handle(explorer.searchDatabase, ({ params, query }, ctx) => browse.searchDatabase(ctx, params, query)),
  handle(getCatalogue, ({ params, query }, ctx) => catalogue.getCatalogue(ctx, params, query)),
  handle(explorer.getSchemaSummary, ({ params }, ctx) => details.getSchemaSummary(ctx, params)),
  handle(explorer.getSchemaDiagram, ({ params }, ctx) => getSchemaDiagram(ctx, params)),
  handle(explorer.getTableDescription, ({ params }, ctx) => details.getTableDescription(ctx, params)),
  handle(explorer.setTableDescription, ({ params, body }, ctx) => details.setTableDescription(ctx, params, body)),
  handle(explorer.createSchema, ({ body }, ctx) => change.createSchema(ctx, body)),
  handle(explorer.renameSchema, ({ body }, ctx) => change.renameSchema(ctx, body)),
  handle(explorer.createTable, ({ body }, ctx) => change.createTable(ctx, body)),
  handle(explorer.renameTable, ({ body }, ctx) => change.renameTable(ctx, body)),
  handle(rows.previewTable, ({ params, query }, ctx) => row.previewTable(ctx, params, query)),
  handle(rows.getCell, ({ params, query }, ctx) => row.getCell(ctx, params, query)),
  handle(rows.countRows, ({ params, query }, ctx) => row.countRows(ctx, params, query)),
  handle(rowEdits.getRowEditing, ({ params }, ctx) => rowEdit.getRowEditing(ctx, params)),
  handle(rowEdits.previewRowEdits, ({ params, body }, ctx) => rowEdit.previewRowEdits(ctx, params, body.edits)),
  handle(rowEdits.applyRowEdits, ({ params, body }, ctx) => rowEdit.applyRowEdits(ctx, params, body.edits)),
  handle(rowEdits.undoRowEdits, ({ params, body }, ctx) => rowEdit.undoRowEdits(ctx, params, body.edit_id)),
  handle(rows.exportTable, ({ params, query, body }, ctx) =>
    exports.exportTable(ctx, params, { isFull: query.full_export ?? false, body }),
  ),
  handle(rows.listExports, (_, ctx) => exports.listExports(ctx)),
  handle(rows.getExport, ({ params }, ctx) => exports.getExport(ctx, params.job_id)),
  handle(rows.cancelExport, ({ params }, ctx) => exports.cancelExport(ctx, params.job_id)),
  handle(rows.downloadExport, ({ params }, ctx) => exports.downloadExport(ctx, params.job_id)),
  handle(labels.listLabels, (_, ctx) => label.listLabels(ctx)),
  handle(labels.createLabel, ({ body }, ctx) => label.createLabel(ctx, body)),
  handle(labels.updateLabel, ({ body }, ctx) => label.updateLabel(ctx, body)),
  handle(labels.deleteLabel, ({ body }, ctx) => label.deleteLabel(ctx, body.id)),
  handle(labels.addLabelToTable, ({ body }, ctx) => label.addLabelToTable(ctx, body)),
  handle(labels.removeLabelFromTable, ({ body }, ctx) => label.removeLabelFromTable(ctx, body)),
  handle(labels.setTableLabels, ({ body }, ctx) => label.setTableLabels(ctx, body)),
]
