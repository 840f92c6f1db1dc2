import { lazy, Suspense } from 'react'
import { CopyButton } from '../../../ui/actions/CopyButton.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Download } from 'lucide-react'
import type { Connection } from '@trellis/contract/database-admin/database-admin.schemas'
import { saveBlob } from '../../../api/save-file.ts'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import type { AdminScope } from '../admin-scope.ts'
import { AdminFrame } from '../AdminFrame.tsx'
import { useConnection } from '../database-admin.queries.ts'
import styles from '../database-admin.module.css'
import { Loaded } from '../../../app/loading/Loaded.tsx'

const StringsCard = lazy(async () => ({ default: (await import('./StringsCard.tsx')).StringsCard }))
const FirewallCard = lazy(async () => ({ default: (await import('./FirewallCard.tsx')).FirewallCard }))
const ReachCard = lazy(async () => ({ default: (await import('./ReachCard.tsx')).ReachCard }))
const SessionsCard = lazy(async () => ({ default: (await import('./SessionsCard.tsx')).SessionsCard }))

export function Component() {
  return (
    <AdminFrame title="Connection" subtitle="How outside tools reach this database, and which may.">
      {(scope) => <Cards scope={scope} />}
    </AdminFrame>
  )
}

function Cards({ scope }: { scope: AdminScope }) {
  const connection = useConnection(scope)
  return (
    <Suspense fallback={<Skeleton height={320} />}>
      <div className={styles.stack}>
        <Loaded query={connection} subject="The connection">
          {(data) => (
            <div className={styles.stack}>
              <ServerCard scope={scope} connection={data} />
              <StringsCard scope={scope} connection={data} />
            </div>
          )}
        </Loaded>
        <FirewallCard scope={scope} />
        <ReachCard scope={scope} />
        <SessionsCard scope={scope} />
      </div>
    </Suspense>
  )
}

function ServerCard({ scope, connection }: { scope: AdminScope; connection: Connection }) {
  const { certificate } = connection
  const facts = { Host: connection.host, Port: String(connection.port), Database: connection.database }
  return (
    <Card
      title="Server"
      actions={
        certificate !== null && (
          <Button
            icon={<Download aria-hidden />}
            onClick={() =>
              saveBlob(new Blob([certificate], { type: 'application/x-pem-file' }), `${scope.database}.pem`)
            }
          >
            Certificate
          </Button>
        )
      }
    >
      <div className={styles.stack}>
        <dl className={styles.facts}>
          {Object.entries(facts).map(([name, value]) => (
            <FactLine key={name} name={name} value={value} />
          ))}
          <dt>TLS</dt>
          <dd>{connection.ssl_mode}</dd>
          <dt>Open to</dt>
          <dd>{connection.is_reachable_from_outside ? 'other machines' : 'this machine only'}</dd>
        </dl>
        {connection.notes.length > 0 && (
          <ul className={styles.notes}>
            {connection.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  )
}

function FactLine({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {value}
        <CopyButton text={value} what={`Copy ${name.toLowerCase()}`} />
      </dd>
    </>
  )
}
