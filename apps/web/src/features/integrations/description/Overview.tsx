import type { IntegrationDescription } from '@trellis/contract/integrations/integrations.schemas'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { Markdown } from '../../../ui/data/Markdown.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { ConsentCard } from '../ConsentCard.tsx'
import { describeKinds } from '../integration-words.ts'
import styles from '../integrations.module.css'
import { usePlatform } from '../../../connecting/connecting.queries.ts'
import { ValidationNow } from '../update/ValidationNow.tsx'
import { useIntegrationsPlace } from '../use-integrations.ts'

export function Overview({ about }: { about: IntegrationDescription }) {
  const { address, paths, canWrite } = useIntegrationsPlace()
  const platform = usePlatform(address, about.oauth ? about.platform_trellis_code : '')
  return (
    <div className={styles.stack}>
      {about.is_managed ? (
        <Banner tone="info" title="The workspace’s own database">
          Trellis keeps it running. It is always connected, can be read and written by dataflows, and can’t be changed
          or deleted here.
        </Banner>
      ) : (
        <ValidationNow code={about.integration_trellis_code} />
      )}
      {about.state === 'SETUP' && (!about.oauth || about.oauth.is_linked) && (
        <Banner
          tone="warning"
          title="Not finished"
          action={
            canWrite && (
              <ButtonLink size="sm" to={paths.update(about.integration_trellis_code)}>
                Go on
              </ButtonLink>
            )
          }
        >
          Some settings are missing; it is checked once they are there.
        </Banner>
      )}
      {about.oauth && platform.data && (
        <Card title="Consent">
          <ConsentCard integration={about} platform={platform.data} />
        </Card>
      )}
      <div className={styles.columns}>
        <Settings about={about} />
        <div className={styles.stack}>
          <UsedBy about={about} />
          <History about={about} />
        </div>
      </div>
    </div>
  )
}

function Settings({ about }: { about: IntegrationDescription }) {
  return (
    <Card title="Settings">
      <dl className={styles.facts}>
        <dt>Use</dt>
        <dd>{describeKinds(about.kinds)}</dd>
        {about.settings.map(({ label, value }) => (
          <div key={label} className={styles.fact}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {about.secrets_set.map((name) => (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd className={styles.soft}>kept, never shown</dd>
          </div>
        ))}
        <dt>Connected</dt>
        <dd>
          <DateTime value={about.created_at} />
          {about.created_by && ` by ${about.created_by}`}
        </dd>
      </dl>
      {about.description && (
        <div className={styles.words}>
          <Markdown text={about.description} />
        </div>
      )}
    </Card>
  )
}

function UsedBy({ about }: { about: IntegrationDescription }) {
  return (
    <Card title="Used by">
      {about.used_by.length === 0 ? (
        <p className={styles.soft}>Nothing uses it yet.</p>
      ) : (
        <ul className={styles.users}>
          {about.used_by.map((user) => (
            <li key={`${user.kind} ${user.trellis_code}`}>
              {user.name} <span className={styles.soft}>{user.kind}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function History({ about }: { about: IntegrationDescription }) {
  return (
    <Card title="History">
      {about.history.length === 0 ? (
        <p className={styles.soft}>Nothing has happened yet.</p>
      ) : (
        <ol className={styles.history}>
          {about.history.map((line, index) => (
            <li key={index}>
              <span>{line.what}</span>
              <span className={styles.soft}>
                <DateTime value={line.at} format="recent" />
                {line.who && ` · ${line.who}`}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}
