import type { ActivityKind } from '@trellis/contract/dataflows/dataflow-words'
import type {
  DestinationSettings,
  SourceSettings,
  Subtask,
  TransformationSettings,
} from '@trellis/contract/dataflows/task-blocks.schemas'
import type { Settings } from '@trellis/contract/dataflows/start-settings'
import { findConnectionFault, findManagedFaults } from './connection-faults.ts'
import { type Fault, type FaultFacts, invalidFault, missingFault } from './fault.ts'
import { findQueryFaults } from './query-faults.ts'
import { findTriggerFaults } from './trigger-faults.ts'
import { findModelFaults, findWriteFaults } from './write-faults.ts'

export function findBlockFaults(kind: ActivityKind, settings: Settings, facts: FaultFacts): Fault[] {
  const kindFaults =
    kind === 'Source'
      ? findSourceFaults(settings as SourceSettings, facts)
      : kind === 'Transformation'
        ? findTransformationFaults(settings as TransformationSettings, facts)
        : findDestinationFaults(settings as DestinationSettings, facts)
  return [...kindFaults, ...findTriggerFaults(settings.trigger, facts.activities)]
}

function findSourceFaults({ integration_trellis_code, subtasks }: SourceSettings, facts: FaultFacts): Fault[] {
  const { faults, connection } = findConnectionFault(facts, integration_trellis_code, 'source')
  if (subtasks.length === 0) return [...faults, missingFault('subtasks', 'Add something to read.')]
  const subtaskFaults = subtasks.flatMap((subtask, index) => {
    const path = `subtasks.${index}`
    const query = connection?.connector
      ? findQueryFaults({
          connector: connection.connector,
          part: 'source',
          values: subtask.query,
          path: `${path}.query`,
          today: facts.today,
        })
      : []
    const followsChangeLog = connection?.connector?.source?.changeLog?.isWanted(subtask.query) === true
    const strategy =
      followsChangeLog && subtask.write?.strategy === 'Append'
        ? [invalidFault(`${path}.write.strategy`, NO_APPEND)]
        : []
    return [...query, ...strategy, ...findWriteFaults(subtask.write, `${path}.write`)]
  })
  return [...faults, ...subtaskFaults, ...findDuplicateFaults(subtasks)]
}

const NO_APPEND = 'Changes from the log can not be appended. Choose Replace or Upsert.'

/** Duplicate names would share a cursor, duplicate tables overwrite each other. */
function findDuplicateFaults(subtasks: readonly Subtask[]): Fault[] {
  const names = new Set<string>()
  const tables = new Map<string, string>()
  return subtasks.flatMap(({ name, write }, index) => {
    const faults: Fault[] = []
    if (names.has(name)) faults.push(invalidFault(`subtasks.${index}.name`, `There are two subtasks called "${name}".`))
    names.add(name)
    if (!write) return faults
    const table = JSON.stringify([write.schema_name, write.table_name])
    const otherName = tables.get(table)
    if (otherName !== undefined) {
      const sentence = `"${otherName}" and "${name}" both write to ${write.schema_name}.${write.table_name}. Give each its own table.`
      faults.push(invalidFault(`subtasks.${index}.write.table_name`, sentence))
    }
    tables.set(table, name)
    return faults
  })
}

type Input = TransformationSettings['input']

function findInputFaults(input: Input): Fault[] {
  if (!input) return [missingFault('input', 'Choose the table or write the query it reads.')]
  if ('sql' in input) return input.sql.trim() === '' ? [missingFault('input.sql', 'Write the query it reads.')] : []
  return input.schema_name === '' || input.table_name === ''
    ? [missingFault('input', 'Choose the table it reads.')]
    : []
}

function findTransformationFaults(settings: TransformationSettings, facts: FaultFacts): Fault[] {
  const { language, code, input, write } = settings
  const faults = findManagedFaults(facts, settings.integration_trellis_code)
  if (code.trim() === '')
    faults.push(missingFault('code', language === 'sql' ? 'Write the SQL.' : 'Write the function.'))
  if (language === 'javascript') faults.push(...findInputFaults(input))
  // SQL without a target table writes by itself.
  if (language === 'javascript' || write) faults.push(...findWriteFaults(write, 'write'))
  return faults
}

function findDestinationFaults(settings: DestinationSettings, facts: FaultFacts): Fault[] {
  const { faults, connection } = findConnectionFault(facts, settings.integration_trellis_code, 'destination')
  const connector = connection?.connector
  const destinationFaults = [...faults, ...findInputFaults(settings.input)]
  if (connector) {
    destinationFaults.push(
      ...findQueryFaults({ connector, part: 'destination', values: settings.query, path: 'query', today: facts.today }),
    )
  }
  const offeredStrategies = connector?.destination?.strategies
  if (offeredStrategies && !offeredStrategies.includes(settings.strategy)) {
    destinationFaults.push(
      invalidFault(
        'strategy',
        `${connector.name} does not offer ${settings.strategy}. Choose ${offeredStrategies.join(' or ')}.`,
      ),
    )
  }
  return [
    ...destinationFaults,
    ...findModelFaults(settings.dataModel, { path: 'dataModel', needsKey: settings.strategy === 'Upsert' }),
  ]
}
