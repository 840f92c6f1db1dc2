import type { BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { PublishPlan } from '@trellis/contract/runs/versions.schemas'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { ApiError } from '../../../../api/api-error.ts'
import { Loaded } from '../../../../app/loading/Loaded.tsx'
import { Button } from '../../../../ui/actions/Button.tsx'
import { formatCount } from '../../../../ui/data/amounts.ts'
import { CodeBlock } from '../../../../ui/data/CodeBlock.tsx'
import { Banner } from '../../../../ui/feedback/Banner.tsx'
import { showToast } from '../../../../ui/feedback/toasts.ts'
import { TextField } from '../../../../ui/forms/TextField.tsx'
import { Dialog } from '../../../../ui/overlays/Dialog.tsx'
import { useDataflowsScope } from '../../dataflows.queries.ts'
import { usePublish, usePublishPlan } from '../setup.queries.ts'
import { ShadowRun } from './ShadowRun.tsx'
import { DifferenceTable } from '../versions/DifferenceTable.tsx'
import styles from '../versions/versions.module.css'

type Plan = z.infer<typeof PublishPlan>

interface DialogProps {
  block: Pick<BlockCard, 'task_block_trellis_code' | 'dataflow_trellis_code' | 'name' | 'kind' | 'published_version'>
  onClose: () => void
  onPublished?: () => void
}

const MESSAGE_LENGTH = 500

export default function PublishDialog({ block, onClose, onPublished }: DialogProps) {
  const { address } = useDataflowsScope()
  const plan = usePublishPlan(block.task_block_trellis_code)
  const publish = usePublish()
  const [message, setMessage] = useState('')
  const send = ({ version }: Plan) =>
    publish.mutate(
      {
        params: { ...address, task_block_trellis_code: block.task_block_trellis_code },
        body: { version, ...(message.trim() !== '' && { message: message.trim() }) },
      },
      {
        onSuccess: (publishedVersion) => {
          showToast({ tone: 'success', text: `${block.name}: version ${publishedVersion.number} is live.` })
          onPublished?.()
          onClose()
        },
        onError: (error) => {
          if (error instanceof ApiError && error.code === 'conflict') void plan.refetch()
        },
      },
    )
  return (
    <Dialog
      size="lg"
      title={`Publish ${block.name}`}
      isLocked={publish.isPending}
      onClose={onClose}
      footer={
        <>
          <Button disabled={publish.isPending} onClick={onClose}>
            Cancel
          </Button>
          {block.kind !== 'Destination' && <ShadowRun block={block} isDisabled={publish.isPending} />}
          <Button
            variant="primary"
            isBusy={publish.isPending}
            disabled={!plan.data || plan.isFetching}
            onClick={() => plan.data && send(plan.data)}
          >
            Publish
          </Button>
        </>
      }
    >
      <div className={styles.stack}>
        {publish.error && (
          <Banner tone="danger" title="It was not published">
            {publish.error.message}
            {publish.error instanceof ApiError && publish.error.code === 'conflict'
              ? ' What stands below is the newest draft: look at it again.'
              : ''}
          </Banner>
        )}
        <Loaded query={plan} subject="The plan" skeletonHeights={[96, 64]}>
          {(found) => <PlanParts plan={found} isFirst={block.published_version === null} />}
        </Loaded>
        <TextField
          label="Message"
          isOptional
          maxLength={MESSAGE_LENGTH}
          placeholder="What changed and why"
          value={message}
          onChange={(event) => setMessage(event.target.value)}
          data-autofocus
        />
      </div>
    </Dialog>
  )
}

const formatReaders = (readers: Plan['readers']) => readers.map(({ kind, name }) => `${name} (${kind})`).join(', ')

function formatColumnReaders({ table, column, change, readers }: Plan['column_readers'][number]): string {
  const what = change === 'type' ? 'gets another type' : 'is no longer filled'
  return `${table}.${column} ${what}; it is read by ${formatReaders(readers)}`
}

function PlanParts({ plan, isFirst }: { plan: Plan; isFirst: boolean }) {
  const { changes, statements, misfits, readers, column_readers } = plan
  return (
    <>
      <section>
        <h3>{isFirst ? 'The first version' : formatCount(changes.length, 'change')}</h3>
        {changes.length === 0 ? (
          <p className={styles.soft}>
            {isFirst ? 'From now on its triggers start it.' : 'The settings are the same as in the live version.'}
          </p>
        ) : (
          <DifferenceTable differences={changes} before="Before" after="After" />
        )}
      </section>
      <section>
        <h3>Tables</h3>
        {statements.length === 0 ? (
          <p className={styles.soft}>No table is changed by the next run.</p>
        ) : (
          <CodeBlock title="Done by the next run" code={statements.join('\n')} isWrapped />
        )}
      </section>
      {misfits.length > 0 && (
        <Banner tone="warning" title="Rows that are there would not fit">
          <ul className={styles.plain}>
            {misfits.map(({ column, rows, example }) => (
              <li key={column}>
                {`${column}: ${formatCount(rows, 'row')}${example === null ? '' : `, for example “${example}”`}`}
              </li>
            ))}
          </ul>
        </Banner>
      )}
      {column_readers.length > 0 && (
        <Banner tone="warning" title="Columns that change are read elsewhere">
          <ul className={styles.plain}>
            {column_readers.map((columnReader) => (
              <li key={`${columnReader.table}.${columnReader.column}`}>{formatColumnReaders(columnReader)}</li>
            ))}
          </ul>
        </Banner>
      )}
      {readers.length > 0 && (
        <section>
          <h3>Read by</h3>
          <p className={styles.soft}>{formatReaders(readers)}</p>
        </section>
      )}
    </>
  )
}
