import * as calls from '@trellis/contract/uploads/uploads.endpoints'
import { type Route, handle } from '../../http/handle.ts'
import {
  downloadBadRows,
  getDataModel,
  getFileMetadata,
  getTableSchema,
  listBadRows,
  listTableFiles,
} from './file-details.ts'
import { previewUpload } from './pre-process.ts'
import { finishUpload, receiveForm, receivePart } from './receive-file.ts'
import { toUploadFile } from './show-file.ts'
import {
  cancelJob,
  getJob,
  listJobs,
  startDelivery,
  startPreProcess,
  startUndo,
  startValidation,
} from './upload-jobs.ts'
import { changeFile, deleteFile, listSchemaFiles, startUpload } from './uploads.service.ts'

export const uploadsRoutes: readonly Route[] = [
  handle(calls.uploadCsv, (_, ctx) => receiveForm(ctx)),
  handle(calls.startUpload, async ({ body }, ctx) => await toUploadFile(ctx, await startUpload(ctx, body))),
  handle(calls.sendPart, ({ params }, ctx) => receivePart(ctx, params)),
  handle(calls.finishUpload, ({ params }, ctx) => finishUpload(ctx, params.file_id)),
  handle(calls.preProcessFile, ({ body }, ctx) => startPreProcess(ctx, body)),
  handle(calls.previewFile, ({ body }, ctx) => previewUpload(ctx, body)),
  handle(calls.updateFile, ({ body }, ctx) => changeFile(ctx, body)),
  handle(calls.getDataModel, ({ params, query }, ctx) => getDataModel(ctx, params, query.mode)),
  handle(calls.validateFile, ({ body }, ctx) => startValidation(ctx, body.file_id)),
  handle(calls.deliverData, ({ body }, ctx) => startDelivery(ctx, body.file_id)),
  handle(calls.undoLoad, ({ body }, ctx) => startUndo(ctx, body)),
  handle(calls.deleteFile, ({ params }, ctx) => deleteFile(ctx, params)),
  handle(calls.getFileMetadata, ({ params }, ctx) => getFileMetadata(ctx, params)),
  handle(calls.listBadRows, ({ params, query }, ctx) => listBadRows(ctx, params, query)),
  handle(calls.downloadBadRows, ({ params }, ctx) => downloadBadRows(ctx, params)),
  handle(calls.listSchemaFiles, ({ params }, ctx) => listSchemaFiles(ctx, params)),
  handle(calls.listTableFiles, ({ params }, ctx) => listTableFiles(ctx, params)),
  handle(calls.getTableSchema, ({ params }, ctx) => getTableSchema(ctx, params)),
  handle(calls.getUploadJob, ({ params }, ctx) => getJob(ctx, params.job_id)),
  handle(calls.cancelUploadJob, ({ params }, ctx) => cancelJob(ctx, params.job_id)),
  handle(calls.listUploadJobs, ({ query }, ctx) => listJobs(ctx, query)),
]
