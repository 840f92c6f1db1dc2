import { CONNECTORS } from '@trellis/connectors/registry'
import { buildFlowSchema } from '@trellis/dataflow-engine/flow-file/flow-schema'

/** An export's first line refers to it, for editors. */
export const FLOW_SCHEMA_PATH = '/dataflow.schema.json'

export const getFlowSchema = (): Record<string, unknown> =>
  buildFlowSchema(
    CONNECTORS.map(({ code, name, source, destination }) => ({
      code,
      title: name,
      source: source?.queryFormas ?? [],
      destination: destination?.queryFormas ?? [],
    })),
  )
