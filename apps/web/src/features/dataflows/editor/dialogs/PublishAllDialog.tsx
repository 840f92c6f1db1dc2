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
import { useDataflowsPlace } from '../../dataflows.queries.ts'
import { PUBLISH_WORDS } from '../../status-words.ts'
import { upstreamFirst } from '../../../../running/flow-order.ts'
import styles from './dialogs.module.css'

interface PublishProps {
  blocks: readonly BlockCard[]
  onDone: () => void
  onClose: () => void
}

const formatBlockCount = (count: number) => (count === 1 ? '1 block' : `${count} blocks`)

function titleFor(ready: readonly BlockCard[]): string {
  const [first] = ready
  if (!first) return 'Nothing can be published yet'
  return `Publish ${ready.length === 1 ? first.name : formatBlockCount(ready.length)}`
}

export default function PublishAllDialog({ blocks, onDone, onClose }: PublishProps) {
  const { address } = useDataflowsPlace()
  const [message, setMessage] = useState('')
  const [done, setDone] = useState<number | null>(null)
  const [problems, setProblems] = useState<string[]>([])
  const ready = upstreamFirst(blocks.filter(({ faults }) => faults.length === 0))
  const unready = blocks.filter(({ faults }) => faults.length > 0)

  const publish = async () => {
    const failed: string[] = []
    setProblems([])
    for (const [at, { task_block_trellis_code, version, name }] of ready.entries()) {
      setDone(at)
      try {
        const body = { version, ...(message.trim() !== '' && { message: message.trim() }) }
        await call(publishBlock, { params: { ...address, task_block_trellis_code }, body })
      } catch (error) {
        failed.push(`${name}: ${getErrorDetail(error)}`)
      }
    }
    setDone(null)
    onDone()
    setProblems(failed)
    if (failed.length > 0) return
    showToast({ tone: 'success', text: `Published ${formatBlockCount(ready.length)}.` })
    onClose()
  }
  const isBusy = done !== null
  return (
    <Dialog
      title={titleFor(ready)}
      size="md"
      isLocked={isBusy}
      onClose={onClose}
      footer={
        <>
          {isBusy && (
            <span role="status">
              {done + 1} of {ready.length}
            </span>
          )}
          <Button onClick={onClose} disabled={isBusy}>
            Cancel
          </Button>
          <Button variant="primary" isBusy={isBusy} disabled={ready.length === 0} onClick={() => void publish()}>
            Publish
          </Button>
        </>
      }
    >
      <p>
        After publishing, schedules and triggers run this version. Runs in progress keep the version they started with.
      </p>
      <ul className={styles.ends} hidden={ready.length === 0}>
        {ready.map((block) => (
          <li key={block.task_block_trellis_code}>
            <span>{block.name}</span>
            <span className={styles.soft}>
              {block.published_version === null ? 'First version' : PUBLISH_WORDS[block.publish_state].text}
            </span>
          </li>
        ))}
      </ul>
      {unready.length > 0 && (
        <Banner tone="warning" title={`${formatBlockCount(unready.length)} can’t be published yet`}>
          <ul className={styles.problems}>
            {unready.map((block) => (
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
