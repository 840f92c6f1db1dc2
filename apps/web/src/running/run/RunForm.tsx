import { useMemo, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { HistoricDateRange } from '@trellis/contract/formas/historic-date-range'
import { getErrorDetail, getErrorReference } from '../../api/api-error.ts'
import { toSubmittedValues } from '../../formas/forma-start.ts'
import { toLocalDay } from '../../ui/dates/local-day.ts'
import { useForma } from '../../formas/use-forma.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { Reference } from '../../ui/feedback/ErrorPanel.tsx'
import { showToast } from '../../ui/feedback/toasts.ts'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import { formatCursor, formatSlot } from './cursor-text.ts'
import { useExecuteBlock, useOverrides } from '../running.queries.ts'
import styles from '../running.module.css'
import { BackfillFields } from './BackfillFields.tsx'
import { ReadingChoice, ScopeChoice } from './RunChoices.tsx'
import { toRunBody, overridesForma, describeStart, findWishProblem } from './run-request.ts'
import type { ReadMode, RunDialogProps, RunnableBlock, Scope } from './run-request.ts'

interface RunFormProps extends Omit<RunDialogProps, 'blocks'> {
  block: RunnableBlock
  children: ReactNode
}

const NO_ELEMENTS: readonly never[] = []
export function RunForm({ address, block, watchPath, onClose, onStarted, children }: RunFormProps) {
  const isSource = block.kind === 'Source'
  const overrides = useOverrides(address, block.task_block_trellis_code, isSource)
  const [scope, setScope] = useState<Scope>('from_here')
  const [reading, setReading] = useState<ReadMode>('new')
  const [range, setRange] = useState<HistoricDateRange>()
  const [isTouched, setTouched] = useState(false)
  const execute = useExecuteBlock()
  const navigate = useNavigate()
  const elements = overrides.data?.elements ?? NO_ELEMENTS
  const form = useForma(useMemo(() => overridesForma(elements), [elements]))
  const today = toLocalDay(new Date())
  const wish = { scope, reading, range, overrides: reading === 'window' ? toSubmittedValues(form.values) : {} }
  const problem = findWishProblem(wish, today)
  // Appended rows could not be distinguished from existing ones.
  const isAgain = reading === 'full' && scope !== 'shadow'
  const start = () => {
    setTouched(true)
    if (problem) return
    const params = { ...address, task_block_trellis_code: block.task_block_trellis_code }
    execute.mutate(
      { params, body: toRunBody(wish, today) },
      {
        onSuccess: (run) => {
          showToast({
            tone: 'success',
            text: `${block.name} is going to run.`,
            ...(watchPath && { action: { label: 'Watch', onSelect: () => void navigate(watchPath) } }),
          })
          onStarted?.(run)
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      title={children ? 'Run' : `Run ${block.name}`}
      size="md"
      isLocked={execute.isPending}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={execute.isPending}>
            Close
          </Button>
          <Button variant={isAgain ? 'danger' : 'primary'} isBusy={execute.isPending} onClick={start}>
            {describeStart(wish)}
          </Button>
        </>
      }
    >
      <div className={styles.panel}>
        {children}
        <ScopeChoice kind={block.kind} scope={scope} onScope={setScope} />
        {isSource && <ReadingChoice canWindow={overrides.data?.can_window} reading={reading} onReading={setReading} />}
        {isSource && <Cursors cursors={overrides.data?.cursors ?? []} />}
        {reading === 'window' && (
          <BackfillFields
            address={address}
            form={form.forma.sections.length > 0 ? form : null}
            range={range}
            error={isTouched ? problem : undefined}
            isDisabled={execute.isPending}
            onRange={setRange}
          />
        )}
        {isAgain && (
          <Banner tone="warning" title="Every row is read again">
            This can take long and counts against the limits of the platform. With Append, rows that are there already
            are written a second time.
          </Banner>
        )}
        <StartProblem error={execute.error} />
      </div>
    </Dialog>
  )
}

function StartProblem({ error }: { error: Error | null }) {
  if (!error) return null
  const reference = getErrorReference(error)
  return (
    <Banner tone="danger">
      {getErrorDetail(error)} {reference && <Reference id={reference} />}
    </Banner>
  )
}

interface Cursor {
  subtask: string
  value: string | null
  is_gap_free_up_to: string | null
  slot: { kept_bytes: number | null; dropped_because: string | null } | null
}

function Cursors({ cursors }: { cursors: readonly Cursor[] }) {
  if (cursors.length === 0) return null
  return (
    <section>
      <h3>Cursor position</h3>
      <dl className={styles.facts}>
        {cursors.map((cursor) => (
          <div key={cursor.subtask} className={styles.fact}>
            <dt>{cursor.subtask}</dt>
            <dd>
              {formatCursor(cursor)}
              {cursor.slot && ` ${formatSlot(cursor.slot)}`}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
