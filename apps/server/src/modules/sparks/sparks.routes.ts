import * as commentCalls from '@trellis/contract/sparks/spark-comments.endpoints'
import * as calls from '@trellis/contract/sparks/sparks.endpoints'
import { handle } from '../../http/handle.ts'
import * as comments from './comments/comments.ts'
import { checkSparkSource } from './data/check-source.ts'
import { getSparkData } from './data/read-data.ts'
import { deleteSparkSchedule, getSparkSchedule, saveSparkSchedule } from './schedules/schedules.ts'
import { createSpark, deleteSpark, getSpark, listSparks, previewSpark, updateSpark } from './sparks.ts'
import { listSparkTemplates } from './templates/all-templates.ts'
import { getSparkVersion, listSparkVersions } from './versions.ts'

export const sparksRoutes = [
  handle(calls.createSpark, ({ body }, ctx) => createSpark(ctx, body)),
  handle(calls.listSparks, (_, ctx) => listSparks(ctx)),
  handle(calls.listProjectSparks, ({ params }, ctx) => listSparks(ctx, params.project_trellis_code)),
  handle(calls.listSparkTemplates, async () => listSparkTemplates()),
  handle(calls.previewSpark, ({ body }, ctx) => previewSpark(ctx, body)),
  handle(calls.checkSparkSource, ({ body }, ctx) => checkSparkSource(ctx, body)),
  handle(calls.getSpark, ({ params }, ctx) => getSpark(ctx, params.spark_trellis_code)),
  handle(calls.updateSpark, ({ params, body }, ctx) => updateSpark(ctx, params.spark_trellis_code, body)),
  handle(calls.deleteSpark, ({ params }, ctx) => deleteSpark(ctx, params.spark_trellis_code)),
  handle(calls.listSparkVersions, ({ params }, ctx) => listSparkVersions(ctx, params.spark_trellis_code)),
  handle(calls.getLatestSparkVersion, ({ params }, ctx) => getSparkVersion(ctx, params.spark_trellis_code)),
  handle(calls.getSparkVersion, ({ params }, ctx) =>
    getSparkVersion(ctx, params.spark_trellis_code, params.spark_version_trellis_code),
  ),
  handle(calls.getSparkData, ({ params, query }, ctx) => getSparkData(ctx, params.based_key, query)),
  handle(calls.getSparkSchedule, ({ params }, ctx) => getSparkSchedule(ctx, params.spark_trellis_code)),
  handle(calls.saveSparkSchedule, ({ params, body }, ctx) => saveSparkSchedule(ctx, params.spark_trellis_code, body)),
  handle(calls.deleteSparkSchedule, ({ params }, ctx) => deleteSparkSchedule(ctx, params.spark_trellis_code)),
  handle(commentCalls.listSparkComments, ({ params, query }, ctx) =>
    comments.listSparkComments(ctx, params.spark_trellis_code, query),
  ),
  handle(commentCalls.createSparkComment, ({ params, body }, ctx) =>
    comments.createSparkComment(ctx, params.spark_trellis_code, body),
  ),
  handle(commentCalls.updateSparkComment, ({ params, body }, ctx) => comments.updateSparkComment(ctx, params, body)),
  handle(commentCalls.resolveSparkComment, ({ params, body }, ctx) =>
    comments.resolveSparkComment(ctx, params, body.is_resolved),
  ),
  handle(commentCalls.deleteSparkComment, ({ params }, ctx) => comments.deleteSparkComment(ctx, params)),
]
