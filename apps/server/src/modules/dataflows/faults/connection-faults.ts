import { type Fault, type FaultFacts, invalidFault, missingFault } from './fault.ts'
import type { BlockConnection } from '../../integrations/connection/block-connections.service.ts'

const CONNECTION_PATH = 'integration_trellis_code'

const STATE_PROBLEMS: Partial<Record<BlockConnection['state'], (name: string) => string>> = {
  SETUP: (name) => `The connection "${name}" is not set up completely. Finish it first.`,
  VALIDATING: (name) => `The connection "${name}" is being checked. Wait until that is done.`,
  ERROR: (name) => `The connection "${name}" does not work. Fix it first.`,
}

export interface UsableConnection {
  readonly faults: readonly Fault[]
  /** Set even if the connection is invalid, since formas depend on it. */
  readonly connection: BlockConnection | undefined
}

export function findConnectionFault(
  { connections }: FaultFacts,
  code: string | null,
  part: 'source' | 'destination',
): UsableConnection {
  if (code === null) return { faults: [missingFault(CONNECTION_PATH, 'Choose a connection.')], connection: undefined }
  const connection = connections.get(code)
  if (!connection) {
    return {
      faults: [invalidFault(CONNECTION_PATH, 'This connection is no longer there. Choose another one.')],
      connection,
    }
  }
  if (!connection.connector?.[part]) {
    const verb = part === 'source' ? 'read from' : 'written to'
    return {
      faults: [invalidFault(CONNECTION_PATH, `"${connection.name}" can not be ${verb}. Choose another connection.`)],
      connection: undefined,
    }
  }
  const problem = STATE_PROBLEMS[connection.state]?.(connection.name)
  return { faults: problem === undefined ? [] : [invalidFault(CONNECTION_PATH, problem)], connection }
}

/** Transformations run in the workspace's own database. */
export function findManagedFaults({ connections }: FaultFacts, code: string | null): Fault[] {
  if (code === null) return [missingFault(CONNECTION_PATH, 'Choose the database it runs in.')]
  const connection = connections.get(code)
  if (!connection) return [invalidFault(CONNECTION_PATH, 'This database is no longer there. Choose another one.')]
  return connection.isManaged
    ? []
    : [
        invalidFault(
          CONNECTION_PATH,
          `A transformation runs in the database of the workspace, not in "${connection.name}".`,
        ),
      ]
}
