import { renewAlertKey, testDataflowAlerts } from '@trellis/contract/dataflows/alerts.endpoints'
import * as canvas from '@trellis/contract/dataflows/canvas.endpoints'
import * as calls from '@trellis/contract/dataflows/dataflows.endpoints'
import type {
  DestinationSettings,
  SourceSettings,
  TransformationSettings,
} from '@trellis/contract/dataflows/task-blocks.schemas'
import * as sources from '@trellis/contract/integrations/canvas-sources.endpoints'
import * as versions from '@trellis/contract/runs/versions.endpoints'
import { type Route, handle } from '../../http/handle.ts'
import { renewSignatureKey } from './alerts/renew-key.ts'
import { testAlerts } from './alerts/test-alerts.ts'
import { changeBlock, createBlock, getBlock, renameBlock } from './blocks.service.ts'
import { deleteGroup, getCanvas, putGroup } from './canvas.service.ts'
import { getSourceDataModel, validateSourceQuery } from './connections/block-source.ts'
import { getDashboard } from './dashboard/dashboard.ts'
import {
  createDataflow,
  deleteDataflow,
  getDataflow,
  getFolderStructure,
  restoreDataflow,
  updateDataflow,
} from './dataflows.service.ts'
import { deleteBlock } from './blocks/delete-block.ts'
import { restoreBlock } from './blocks/restore-block.ts'
import { createFolder, deleteFolder, updateFolder } from './folders.ts'
import { updateMetadata } from './blocks/move-blocks.ts'
import { getOverrides } from './plan/overrides.ts'
import { planPublish } from './plan/publish-plan.ts'
import { getPreviousBlocks } from './blocks/previous-blocks.ts'
import { listVersions, publishBlock, restoreVersion } from './publish.service.ts'
import { describeBlock, describeDataflow } from './words/describe.ts'

const flows: readonly Route[] = [
  handle(calls.createDataflow, ({ body }, ctx) => createDataflow(ctx, body)),
  handle(calls.createDataflowFolder, ({ body }, ctx) => createFolder(ctx, body)),
  handle(calls.getDataflowsDashboard, (_, ctx) => getDashboard(ctx)),
  handle(calls.getFolderStructure, (_, ctx) => getFolderStructure(ctx)),
  handle(calls.getDataflow, ({ params }, ctx) => getDataflow(ctx, params.trellis_code)),
  handle(calls.describeDataflow, ({ params }, ctx) => describeDataflow(ctx, params.trellis_code)),
  handle(calls.deleteDataflow, ({ params }, ctx) => deleteDataflow(ctx, params.trellis_code)),
  handle(calls.restoreDataflow, ({ params }, ctx) => restoreDataflow(ctx, params.trellis_code)),
  handle(calls.deleteDataflowFolder, ({ params }, ctx) => deleteFolder(ctx, params.trellis_code)),
  handle(calls.updateDataflow, ({ params, body }, ctx) => updateDataflow(ctx, params.relative_trellis_code, body)),
  handle(calls.updateDataflowFolder, ({ params, body }, ctx) => updateFolder(ctx, params.trellis_code, body)),
  handle(testDataflowAlerts, ({ params }, ctx) => testAlerts(ctx, params.trellis_code)),
  handle(renewAlertKey, ({ params }, ctx) => renewSignatureKey(ctx, params.trellis_code)),
]

const blocks: readonly Route[] = [
  handle(canvas.putCanvasGroup, ({ body }, ctx) => putGroup(ctx, body)),
  handle(canvas.deleteCanvasGroup, ({ params }, ctx) => deleteGroup(ctx, params.trellis_code)),
  handle(canvas.getCanvas, ({ params }, ctx) => getCanvas(ctx, params.dataflow_trellis_code)),
  handle(canvas.createSourceBlock, ({ body }, ctx) => createBlock<'Source', SourceSettings>(ctx, 'Source', body)),
  handle(canvas.createTransformationBlock, ({ body }, ctx) =>
    createBlock<'Transformation', TransformationSettings>(ctx, 'Transformation', body),
  ),
  handle(canvas.createDestinationBlock, ({ body }, ctx) =>
    createBlock<'Destination', DestinationSettings>(ctx, 'Destination', body),
  ),
  handle(canvas.updateSourceBlock, ({ body }, ctx) => changeBlock<'Source', SourceSettings>(ctx, 'Source', body)),
  handle(canvas.updateTransformationBlock, ({ body }, ctx) =>
    changeBlock<'Transformation', TransformationSettings>(ctx, 'Transformation', body),
  ),
  handle(canvas.updateDestinationBlock, ({ body }, ctx) =>
    changeBlock<'Destination', DestinationSettings>(ctx, 'Destination', body),
  ),
  handle(canvas.getSourceBlock, ({ params }, ctx) =>
    getBlock<'Source', SourceSettings>(ctx, 'Source', params.task_block_trellis_code),
  ),
  handle(canvas.getTransformationBlock, ({ params }, ctx) =>
    getBlock<'Transformation', TransformationSettings>(ctx, 'Transformation', params.task_block_trellis_code),
  ),
  handle(canvas.getDestinationBlock, ({ params }, ctx) =>
    getBlock<'Destination', DestinationSettings>(ctx, 'Destination', params.task_block_trellis_code),
  ),
  handle(canvas.updateBlockMetadata, ({ body }, ctx) => updateMetadata(ctx, body.blocks)),
  handle(canvas.renameBlock, ({ body }, ctx) => renameBlock(ctx, body)),
  handle(canvas.deleteBlock, ({ params }, ctx) => deleteBlock(ctx, params.task_block_trellis_code)),
  handle(canvas.restoreBlock, ({ params }, ctx) => restoreBlock(ctx, params.task_block_trellis_code)),
  handle(canvas.describeBlock, ({ params, query }, ctx) =>
    describeBlock(ctx, params.task_block_trellis_code, query.short ?? false),
  ),
  handle(sources.getSourceDataModel, ({ params, query }, ctx) =>
    getSourceDataModel(ctx, params.id, query.subtask_name),
  ),
  handle(sources.validateGaql, ({ params, body }, ctx) => validateSourceQuery(ctx, params.id, body.query)),
  handle(canvas.getPreviousBlocks, ({ params }, ctx) => getPreviousBlocks(ctx, params.task_block_trellis_code)),
]

const published: readonly Route[] = [
  handle(versions.publishBlock, ({ params, body }, ctx) => publishBlock(ctx, params.task_block_trellis_code, body)),
  handle(versions.planPublish, ({ params }, ctx) => planPublish(ctx, params.task_block_trellis_code)),
  handle(versions.listBlockVersions, ({ params }, ctx) => listVersions(ctx, params.task_block_trellis_code)),
  handle(versions.restoreBlockVersion, ({ params, body }, ctx) =>
    restoreVersion(ctx, params.task_block_trellis_code, body),
  ),
  handle(versions.getOverrides, ({ params }, ctx) => getOverrides(ctx, params.task_block_trellis_code)),
]

export const dataflowsRoutes: readonly Route[] = [...flows, ...blocks, ...published]
