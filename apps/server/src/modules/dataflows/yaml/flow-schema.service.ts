import { CONNECTORS } from '@trellis/connectors/registry'
import { buildFlowSchema } from '@trellis/dataflow-engine/flow-file/flow-schema'

/** Where a server tells it; the first line of an export names the address, for editors. */
export const FLOW_SCHEMA_PATH = '/dataflow.schema.json'

/** With the settings of every platform that this installation knows. */
export const getFlowSchema = (): Record<string, unknown> =>
  buildFlowSchema(
    CONNECTORS.map(({ code, name, source, destination }) => ({
      code,
      title: name,
      source: source?.queryFormas ?? [],
      destination: destination?.queryFormas ?? [],
    })),
  )
