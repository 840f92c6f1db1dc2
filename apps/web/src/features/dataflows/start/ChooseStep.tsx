import { writeInto } from '@trellis/contract/dataflows/start-settings'
import type { Forma, FormaValues } from '@trellis/contract/formas/forma'
import { isFormaComplete } from '@trellis/contract/formas/forma-rules'
import type { Integration } from '@trellis/contract/integrations/integrations.schemas'
import { useEffect, useMemo, useState } from 'react'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { useIntegration } from '../../../connecting/connecting.queries.ts'
import { FormaFields } from '../../../formas/FormaFields.tsx'
import { toSubmittedValues } from '../../../formas/forma-start.ts'
import { SurroundingsProvider } from '../../../formas/surroundings.ts'
import { toLocalDay } from '../../../ui/dates/local-day.ts'
import { useForma } from '../../../formas/use-forma.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { formatCount } from '../../../ui/data/amounts.ts'
import { useSettled } from '../../../ui/data/use-settled.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { SidePanel } from '../../../ui/overlays/SidePanel.tsx'
import { useDataflowsScope } from '../dataflows.queries.ts'
import { getOwnZone } from '../own-zone.ts'
import { SampleRows } from '../setup/panes/PaneFrame.tsx'
import { useQueryFormas, useSourcePreview } from '../setup/setup.queries.ts'
import { useOwnTables } from '../setup/use-own-tables.ts'
import { describeSource } from '../setup/source/subtasks.ts'
import {
  describeWhen,
  findChooser,
  listRenamed,
  toFileName,
  toSubtasks,
  toTrigger,
  withChoice,
  withoutElement,
  type PlannedTable,
  type StartTime,
} from './start-plan.ts'
import { useStartFlow, useTableChoices, type StartedFlow } from './start.queries.ts'
import styles from './start.module.css'
import { PanelTitle } from './PanelTitle.tsx'
import { TableChecks } from './TableChecks.tsx'
import { WhenFields } from './WhenFields.tsx'

interface ChooseProps {
  dataflow: string
  connection: Integration
  onStarted: (started: StartedFlow) => void
  onClose: () => void
}

export function ChooseStep({ dataflow, connection, onStarted, onClose }: ChooseProps) {
  const code = connection.integration_trellis_code
  const formas = useQueryFormas('source', code)
  const [tables, setTables] = useState<readonly PlannedTable[]>([])
  const [when, setWhen] = useState<StartTime>(() => ({ pace: 'daily', hour: 6, zone: getOwnZone() }))
  const start = useStartFlow()
  const own = useOwnTables()
  const existingTables = own.schemas.find(({ name }) => name === writeInto('').schema_name)?.tables ?? []
  const subtasks = toSubtasks(
    tables,
    existingTables.map(({ name }) => name),
  )
  const renamed = listRenamed(tables, subtasks)
  const send = () =>
    start.mutate(
      {
        dataflow,
        name: connection.name,
        settings: {
          integration_trellis_code: code,
          subtasks,
          trigger: toTrigger(when, crypto.randomUUID()),
        },
      },
      { onSuccess: onStarted },
    )
  return (
    <SidePanel
      isWide
      isTitleFocused
      isLocked={start.isPending}
      title={<PanelTitle icon={connection.icon}>Read from {connection.name}</PanelTitle>}
      onClose={onClose}
      footer={
        <>
          <p className={styles.sum} role="status">
            {tables.length === 0
              ? 'Choose what to read.'
              : `${formatCount(tables.length, 'table')}. ${describeWhen(when)}.`}
          </p>
          <Button
            variant="primary"
            disabled={tables.length === 0 || !own.isListed}
            isBusy={start.isPending}
            onClick={send}
          >
            Publish and run
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        {connection.problem && (
          <Banner tone="warning" title="This connection did not work the last time">
            {connection.problem.message} {connection.problem.advice}
          </Banner>
        )}
        {start.error && (
          <Banner tone="danger" title="It was not published">
            {start.error.message} Nothing was changed; what you chose is still here.
          </Banner>
        )}
        <Loaded query={formas} subject="What can be read" skeletonHeights={[32, 220]}>
          {({ formas: all }) => <Tables connection={connection} all={all} onChange={setTables} />}
        </Loaded>
        {renamed.length > 0 && <Banner tone="info">{renamed.join(' ')}</Banner>}
        <WhenFields when={when} onChange={setWhen} />
      </div>
    </SidePanel>
  )
}

interface TablesProps {
  connection: Integration
  all: readonly Forma[]
  onChange: (tables: readonly PlannedTable[]) => void
}

function Tables({ connection, all, onChange }: TablesProps) {
  const [selected, setSelected] = useState(all[0])
  if (!selected) return <p>Nothing can be read from this connection.</p>
  return (
    <>
      {all.length > 1 && (
        <Select
          label="What to read"
          value={selected.forma_trellis_code}
          options={all.map((item) => ({ value: item.forma_trellis_code, label: item.title }))}
          onChange={(event) => {
            onChange([])
            setSelected(all.find((candidate) => candidate.forma_trellis_code === event.target.value))
          }}
        />
      )}
      <Query key={selected.forma_trellis_code} connection={connection} forma={selected} onChange={onChange} />
    </>
  )
}

const SETTLES_MS = 600

interface QueryProps {
  connection: Integration
  forma: Forma
  onChange: (tables: readonly PlannedTable[]) => void
}

function Query({ connection, forma: described, onChange }: QueryProps) {
  const { address } = useDataflowsScope()
  const code = connection.integration_trellis_code
  const details = useIntegration(address, code)
  const form = useForma(described)
  const { forma, values } = form
  const chooser = findChooser(forma, values)
  const listed = useTableChoices(code, chooser)
  const [keys, setKeys] = useState<readonly string[]>([])
  const [shown, setShown] = useState<string | null>(null)
  const surroundings = useMemo(() => ({ address, integration: code }), [address, code])

  const toPlan = (picked: readonly string[], filled: FormaValues): { key: string; table: PlannedTable }[] => {
    const isComplete = (query: FormaValues) => isFormaComplete(forma, query, { today: toLocalDay(new Date()) })
    const chooser = findChooser(forma, filled)
    if (!chooser) {
      const file = findFile(filled) || findFile(details.data?.values ?? {})
      const name = describeSource(forma, filled) ?? (toFileName(file) || connection.name)
      return isComplete(filled) ? [{ key: '', table: { name, query: toSubmittedValues(filled) } }] : []
    }
    return listed.choices
      .filter(({ key }) => picked.includes(key))
      .map(({ key, label, value }) => ({
        key,
        table: { name: label, query: toSubmittedValues(withChoice(filled, chooser, value)) },
      }))
      .filter(({ table }) => isComplete(table.query))
  }
  const plan = toPlan(keys, values)
  const planned = JSON.stringify(plan.map(({ table }) => table))
  useEffect(() => onChange(JSON.parse(planned) as PlannedTable[]), [planned, onChange])
  const rest = chooser ? withoutElement(forma, chooser) : forma
  const hasOpen = chooser !== null && !isFormaComplete(rest, values, { today: toLocalDay(new Date()) })
  const fields = (
    <SurroundingsProvider value={surroundings}>
      <FormaFields form={{ ...form, forma: rest }} />
    </SurroundingsProvider>
  )
  const hasRest = rest.sections.some(({ elements }) => elements.length > 0)
  const active = plan.find(({ key }) => key === shown) ?? plan.at(-1)
  return (
    <>
      {chooser && (
        <TableChecks
          label={chooser.element.type === 'table_picker' ? 'Tables' : chooser.element.label}
          {...listed}
          selected={keys}
          onChange={(next) => {
            setShown(next.find((key) => !keys.includes(key)) ?? null)
            setKeys(next)
          }}
        />
      )}
      {hasRest &&
        (chooser === null || hasOpen ? (
          fields
        ) : (
          <details className={styles.more}>
            <summary>More settings</summary>
            {fields}
          </details>
        ))}
      {active && (
        <Rows
          connection={code}
          tables={plan}
          active={active.key}
          onShow={setShown}
          query={active.table.query}
          name={active.table.name}
        />
      )}
    </>
  )
}

const findFile = (values: FormaValues): string =>
  Object.values(values)
    .flatMap((section) => Object.values(section))
    .find(
      (value): value is string => typeof value === 'string' && /\/?[^/\s]+\.[a-z][a-z0-9]{1,7}(\?|\s|$)/i.test(value),
    ) ?? ''

interface RowsProps {
  connection: string
  tables: readonly { key: string; table: PlannedTable }[]
  active: string
  name: string
  query: FormaValues
  onShow: (key: string) => void
}

function Rows({ connection, tables, active, name, query, onShow }: RowsProps) {
  const settled = useSettled(query, SETTLES_MS)
  const preview = useSourcePreview({ integration: connection, query: settled }, true)
  return (
    <section className={styles.rows} aria-label="First rows">
      <header className={styles.rowsHead}>
        <h3>First rows of {name}</h3>
        {tables.length > 1 && (
          <div className={styles.chips} role="group" aria-label="Table shown">
            {tables.map(({ key, table }) => (
              <button key={key} type="button" aria-pressed={key === active} onClick={() => onShow(key)}>
                {table.name}
              </button>
            ))}
          </div>
        )}
      </header>
      <SampleRows
        sample={preview.data && { ...preview.data, rows: preview.data.rows.slice(0, MAX_ROWS), notes: [] }}
        error={preview.error}
        isOld={preview.isPlaceholderData}
        title={name}
      />
    </section>
  )
}

const MAX_ROWS = 5
