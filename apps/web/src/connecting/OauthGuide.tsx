import type { PlatformDetails } from '@trellis/contract/integrations/integrations.schemas'
import { CodeBlock } from '../ui/data/CodeBlock.tsx'
import styles from './connecting.module.css'

type Oauth = NonNullable<PlatformDetails['oauth']>

/** Must match the provider's setting exactly. */
export function OauthGuide({ oauth }: { oauth: Oauth }) {
  const { provider, redirect_url, scopes, has_app } = oauth
  return (
    <section className={styles.guide} aria-label={`Consent at ${provider}`}>
      <p>
        {has_app
          ? `This Trellis has an app at ${provider}. You only give consent there; an app of your own is not needed.`
          : `Register an app at ${provider}, enter this redirect URL and these scopes there, and bring its client id and secret here.`}
      </p>
      {!has_app && (
        <>
          <CodeBlock isWrapped title="Redirect URL" code={redirect_url} />
          <CodeBlock isWrapped title={scopes.length === 1 ? 'Scope' : 'Scopes'} code={scopes.join('\n')} />
        </>
      )}
    </section>
  )
}
