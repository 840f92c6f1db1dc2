import type { AuditLine } from '@trellis/contract/audit/audit.endpoints'
import { Avatar } from '../../ui/data/Avatar.tsx'
import { CodeBlock } from '../../ui/data/CodeBlock.tsx'
import { DateTime } from '../../ui/data/DateTime.tsx'
import { StatusDot } from '../../ui/feedback/Status.tsx'
import { SidePanel } from '../../ui/overlays/SidePanel.tsx'
import { formatAction, OUTCOMES, formatActor } from './audit-texts.ts'
import styles from './audit.module.css'

export function AuditDetails({ line, onClose }: { line: AuditLine; onClose: () => void }) {
  const { tone, text } = OUTCOMES[line.outcome]
  const hasDetail = Object.keys(line.detail).length > 0
  return (
    <SidePanel title={formatAction(line.action)} onClose={onClose}>
      <dl className={styles.facts}>
        <dt>When</dt>
        <dd>
          <DateTime value={line.at} />
        </dd>
        <dt>Who</dt>
        <dd>{line.who ? <Avatar name={formatActor(line)} email={line.who.email} /> : formatActor(line)}</dd>
        <dt>Outcome</dt>
        <dd>
          <StatusDot tone={tone}>{text}</StatusDot>
        </dd>
        <dt>From address</dt>
        <dd>{line.ip ? <code>{line.ip}</code> : 'Unknown'}</dd>
        <dt>Call</dt>
        <dd>
          <code>{line.action}</code>
        </dd>
        {line.workspace_id !== null && (
          <>
            <dt>Workspace</dt>
            <dd>
              <code>{line.workspace_id}</code>
            </dd>
          </>
        )}
        <dt>Line</dt>
        <dd>
          <code>{line.seq}</code>
        </dd>
      </dl>
      {hasDetail && <CodeBlock title="Detail" code={JSON.stringify(line.detail, null, 2)} isWrapped />}
      <p className={styles.fine}>
        Lines are chained: changing or removing one afterwards shows. Nobody can edit them here, not even the owner.
      </p>
    </SidePanel>
  )
}
