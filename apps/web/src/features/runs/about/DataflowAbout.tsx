import { updateDataflow } from '@trellis/contract/dataflows/dataflows.endpoints'
import type { DataflowDescription } from '@trellis/contract/dataflows/dataflows.schemas'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import type * as z from 'zod/mini'
import type { WorkspaceAddress } from '../../../api/workspace-address.ts'
import { useApiMutation, withDetail } from '../../../api/api-query.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Markdown } from '../../../ui/data/Markdown.tsx'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { TextArea } from '../../../ui/forms/TextField.tsx'
import { SidePanel } from '../../../ui/overlays/SidePanel.tsx'
import { descriptionCalls, useDataflowDescription } from '../runs.queries.ts'
import parts from '../../../running/running.module.css'
import styles from '../runs.module.css'

type Description = z.infer<typeof DataflowDescription>
interface AboutProps {
  address: WorkspaceAddress
  dataflow: string
  canWrite: boolean
  onClose: () => void
}

export default function DataflowAbout({ address, dataflow, canWrite, onClose }: AboutProps) {
  const query = useDataflowDescription(address, dataflow)
  return (
    <SidePanel title="About this dataflow" onClose={onClose}>
      <Loaded query={query} subject="The description">
        {(about) => (
          <div className={parts.panel}>
            <AboutText about={about} address={address} canWrite={canWrite} />
            <section>
              <h3>What happens</h3>
              {about.blocks.length === 0 && <p className={parts.quiet}>There is no block yet.</p>}
              <ol className={parts.lines}>
                {about.blocks.map((block) => (
                  <li key={block.task_block_trellis_code}>
                    <div className={parts.lineHead}>
                      <strong>{block.name}</strong>
                      <Badge>{block.kind}</Badge>
                    </div>
                    <p>{block.in_words}</p>
                    <p>{block.trigger_in_words}</p>
                    {block.note && <Markdown text={block.note} />}
                  </li>
                ))}
              </ol>
            </section>
          </div>
        )}
      </Loaded>
    </SidePanel>
  )
}

function AboutText({ about, address, canWrite }: { about: Description; address: WorkspaceAddress; canWrite: boolean }) {
  const [draft, setDraft] = useState<string | null>(null)
  const save = useApiMutation(updateDataflow, {
    invalidates: descriptionCalls,
    successText: 'Description saved.',
    errorText: withDetail('The description was not saved.'),
    onSuccess: () => setDraft(null),
  })
  const params = { ...address, relative_trellis_code: about.trellis_code }
  if (draft !== null)
    return (
      <form
        className={parts.panel}
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate({ params, body: { description: draft } })
        }}
      >
        <TextArea
          label="Description"
          hint="Markdown works here."
          rows={10}
          maxLength={50_000}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
        />
        <div className={styles.actions}>
          <Button type="submit" variant="primary" isBusy={save.isPending}>
            Save
          </Button>
          <Button onClick={() => setDraft(null)} disabled={save.isPending}>
            Cancel
          </Button>
        </div>
      </form>
    )
  return (
    <section>
      {about.description ? (
        <Markdown text={about.description} isFlowing />
      ) : (
        <p className={parts.quiet}>Nobody has written what this dataflow is for.</p>
      )}
      {canWrite && (
        <Button size="sm" icon={<Pencil aria-hidden />} onClick={() => setDraft(about.description)}>
          {about.description ? 'Edit' : 'Write a description'}
        </Button>
      )}
    </section>
  )
}
