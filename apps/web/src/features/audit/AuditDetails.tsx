import type { AuditLine } from '@trellis/contract/audit/audit.endpoints'
import { Avatar } from '../../ui/data/Avatar.tsx'
import { CodeBlock } from '../../ui/data/CodeBlock.tsx'
import { DateTime } from '../../ui/data/DateTime.tsx'
import { StatusDot } from '../../ui/feedback/Status.tsx'
import { SidePanel } from '../../ui/overlays/SidePanel.tsx'
import { formatAction, OUTCOMES, formatActor } from './audit-texts.ts'
import styles from './audit.module.css'

export function AuditDetails({ entry, onClose }: { entry: AuditLine; onClose: () => void }) {
  const { tone, text } = OUTCOMES[entry.outcome]
  const hasDetail = Object.keys(entry.detail).length > 0
  return (
    <SidePanel title={formatAction(entry.action)} onClose={onClose}>
      <dl className={styles.facts}>
        <dt>When</dt>
        <dd>
          <DateTime value={entry.at} />
        </dd>
        <dt>Who</dt>
        <dd>{entry.who ? <Avatar name={formatActor(entry)} email={entry.who.email} /> : formatActor(entry)}</dd>
        <dt>Outcome</dt>
        <dd>
          <StatusDot tone={tone}>{text}</StatusDot>
        </dd>
        <dt>From address</dt>
        <dd>{entry.ip ? <code>{entry.ip}</code> : 'Unknown'}</dd>
        <dt>Call</dt>
        <dd>
          <code>{entry.action}</code>
        </dd>
        {entry.workspace_id !== null && (
          <>
            <dt>Workspace</dt>
            <dd>
              <code>{entry.workspace_id}</code>
            </dd>
          </>
        )}
        <dt>Line</dt>
        <dd>
          <code>{entry.seq}</code>
        </dd>
      </dl>
      {hasDetail && <CodeBlock title="Detail" code={JSON.stringify(entry.detail, null, 2)} isWrapped />}
      <p className={styles.fine}>
        Lines are chained: changing or removing one afterwards shows. Nobody can edit them here, not even the owner.
      </p>
    </SidePanel>
  )
}
