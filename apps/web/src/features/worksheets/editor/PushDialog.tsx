import { useState } from 'react'
import { getErrorDetail } from '../../../api/api-error.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { BlockUpdates } from '../scheduled/BlockUpdates.tsx'
import { usePushPlan } from '../scheduled/scheduled.queries.ts'
import { useWorksheets } from '../use-worksheets.ts'
import { CHANGE_LABELS } from '../change-words.ts'
import { usePush, useUserBranch } from '../worksheets.queries.ts'
import styles from './editor.module.css'

interface PushDialogProps {
  projectId: string
  onPublished: () => void
  onClose: () => void
}

export function PushDialog({ projectId, onPublished, onClose }: PushDialogProps) {
  const { params } = useWorksheets()
  const branch = useUserBranch(params, projectId)
  const plan = usePushPlan(params, projectId)
  const push = usePush()
  const [message, setMessage] = useState('')
  const count = branch.data?.changes.length ?? 0
  const canPush = message.trim() !== '' && count > 0 && !plan.isPending && !push.isPending
  const publish = () =>
    push.mutate({ params, body: { project_id: projectId, message: message.trim() } }, { onSuccess: onPublished })
  return (
    <Dialog
      title="Publish changes"
      isLocked={push.isPending}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={push.isPending}>
            Cancel
          </Button>
          <Button variant="primary" isBusy={push.isPending} disabled={!canPush} onClick={publish}>
            Push to live
          </Button>
        </>
      }
    >
      <Loaded query={branch} subject="Your branch" skeletonHeights={[32, 32]}>
        {({ changes, behind_count: behind }) => (
          <>
            {behind > 0 && (
              <Banner>
                The live branch has {behind === 1 ? 'a newer version' : `${behind} newer versions`}. Pull first.
              </Banner>
            )}
            <ul className={styles.changes}>
              {changes.map(({ file_id, path, change }) => (
                <li key={file_id}>
                  <span>{path}</span>
                  <Badge>{CHANGE_LABELS[change]}</Badge>
                </li>
              ))}
            </ul>
            {changes.length === 0 && <p>Nothing to publish: your branch is the same as the live branch.</p>}
            <BlockUpdates updates={plan.data ?? []} />
            {plan.isError && <Banner tone="warning">Which dataflows this changes could not be read.</Banner>}
          </>
        )}
      </Loaded>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (canPush) publish()
        }}
      >
        <TextField
          label="Message"
          hint="What changed and why, for those who read the history."
          value={message}
          maxLength={2000}
          onChange={(event) => setMessage(event.target.value)}
          data-autofocus
        />
      </form>
      {push.isError && <Banner tone="danger">{getErrorDetail(push.error)}</Banner>}
    </Dialog>
  )
}
