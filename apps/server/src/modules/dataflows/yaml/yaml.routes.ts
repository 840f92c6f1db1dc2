import {
  exportDataflow as exportCall,
  importDataflow as importCall,
} from '@trellis/contract/dataflows/dataflow-yaml.endpoints'
import { type Route, handle } from '../../../http/handle.ts'
import { exportDataflow } from './export-yaml.ts'
import { importDataflow } from './import-yaml.service.ts'

export const dataflowYamlRoutes: readonly Route[] = [
  handle(importCall, ({ body }, ctx) => importDataflow(ctx, body)),
  handle(exportCall, ({ params }, ctx) => exportDataflow(ctx, params.trellis_code)),
]
