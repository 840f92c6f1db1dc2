import type { BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
import { publishBlock } from '@trellis/contract/runs/versions.endpoints'
import { useState } from 'react'
import { getErrorDetail } from '../../../../api/api-error.ts'
import { call } from '../../../../api/call.ts'
import { Button } from '../../../../ui/actions/Button.tsx'
import { Banner } from '../../../../ui/feedback/Banner.tsx'
import { showToast } from '../../../../ui/feedback/toasts.ts'
import { TextField } from '../../../../ui/forms/TextField.tsx'
import { Dialog } from '../../../../ui/overlays/Dialog.tsx'
import { useDataflowsScope } from '../../dataflows.queries.ts'
import { PUBLISH_STATE_LABELS } from '../../status-labels.ts'
import { upstreamFirst } from '../../../../running/flow-order.ts'
import styles from './dialogs.module.css'

interface PublishProps {
  blocks: readonly BlockCard[]
  onPublished: () => void
  onClose: () => void
}

const formatBlockCount = (count: number) => (count === 1 ? '1 block' : `${count} blocks`)

function formatTitle(publishableBlocks: readonly BlockCard[]): string {
  const [first] = publishableBlocks
  if (!first) return 'Nothing can be published yet'
  return `Publish ${publishableBlocks.length === 1 ? first.name : formatBlockCount(publishableBlocks.length)}`
}

export default function PublishAllDialog({ blocks, onPublished, onClose }: PublishProps) {
  const { address } = useDataflowsScope()
  const [message, setMessage] = useState('')
  const [publishedCount, setPublishedCount] = useState<number | null>(null)
  const [problems, setProblems] = useState<string[]>([])
  const publishableBlocks = upstreamFirst(blocks.filter(({ faults }) => faults.length === 0))
  const faultyBlocks = blocks.filter(({ faults }) => faults.length > 0)

  const publish = async () => {
    const failures: string[] = []
    setProblems([])
    for (const [index, { task_block_trellis_code, version, name }] of publishableBlocks.entries()) {
      setPublishedCount(index)
      try {
        const body = { version, ...(message.trim() !== '' && { message: message.trim() }) }
        await call(publishBlock, { params: { ...address, task_block_trellis_code }, body })
      } catch (error) {
        failures.push(`${name}: ${getErrorDetail(error)}`)
      }
    }
    setPublishedCount(null)
    onPublished()
    setProblems(failures)
    if (failures.length > 0) return
    showToast({ tone: 'success', text: `Published ${formatBlockCount(publishableBlocks.length)}.` })
    onClose()
  }
  const isBusy = publishedCount !== null
  return (
    <Dialog
      title={formatTitle(publishableBlocks)}
      size="md"
      isLocked={isBusy}
      onClose={onClose}
      footer={
        <>
          {isBusy && (
            <span role="status">
              {publishedCount + 1} of {publishableBlocks.length}
            </span>
          )}
          <Button onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button
            variant="primary"
            isBusy={isBusy}
            disabled={publishableBlocks.length === 0}
            onClick={() => void publish()}
          >
            Publish
          </Button>
        </>
      }
    >
      <p>
        After publishing, schedules and triggers run this version. Runs in progress keep the version they started with.
      </p>
      <ul className={styles.ends} hidden={publishableBlocks.length === 0}>
        {publishableBlocks.map((block) => (
          <li key={block.task_block_trellis_code}>
            <span>{block.name}</span>
            <span className={styles.soft}>
              {block.published_version === null ? 'First version' : PUBLISH_STATE_LABELS[block.publish_state].text}
            </span>
          </li>
        ))}
      </ul>
      {faultyBlocks.length > 0 && (
        <Banner tone="warning" title={`${formatBlockCount(faultyBlocks.length)} can’t be published yet`}>
          <ul className={styles.problems}>
            {faultyBlocks.map((block) => (
              <li key={block.task_block_trellis_code}>
                {block.name}: {block.faults[0]?.message}
              </li>
            ))}
          </ul>
        </Banner>
      )}
      <TextField
        label="Message"
        isOptional
        maxLength={500}
        placeholder="What changed and why"
        value={message}
        onChange={(event) => setMessage(event.target.value)}
      />
      {problems.length > 0 && (
        <Banner tone="danger" title="Not everything was published">
          <ul className={styles.problems}>
            {problems.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Banner>
      )}
    </Dialog>
  )
}
