import type { Secret } from '@trellis/contract/database-admin/database-admin.schemas'
import type * as z from 'zod/mini'
import { Button } from '../../ui/actions/Button.tsx'
import { CodeBlock } from '../../ui/data/CodeBlock.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { FormActions } from '../../ui/forms/Form.tsx'
import { Dialog } from '../../ui/overlays/Dialog.tsx'
import type { AdminScope } from './admin-scope.ts'
import { connectionStrings, MASK } from './connection/connection-strings.ts'
import { useConnection } from './database-admin.queries.ts'
import styles from './database-admin.module.css'

interface SecretProps {
  scope: AdminScope
  secret: z.infer<typeof Secret>
  onDone: () => void
}

/** The only time the password is shown. Escape does not close it. */
export function SecretDialog({ scope, secret, onDone }: SecretProps) {
  const connection = useConnection(scope)
  const findUri = (password: string) =>
    connection.data &&
    connectionStrings(connection.data, { user: secret.user_name, password }).find(
      (connectionString) => connectionString.key === 'uri',
    )?.text
  const uri = findUri(secret.password)
  return (
    <Dialog title="The new login" size="md" isLocked onClose={onDone}>
      <div className={styles.stack}>
        <Banner tone="warning" title="Copy the password now">
          It is shown this once and kept nowhere. When it is lost, rotate the login to get another one.
        </Banner>
        <CodeBlock title="User name" code={secret.user_name} isWrapped />
        <CodeBlock title="Password" code={secret.password} isWrapped />
        {uri !== undefined && <CodeBlock title="Connection string" code={findUri(MASK) ?? ''} copied={uri} isWrapped />}
        <FormActions>
          <Button variant="primary" onClick={onDone} data-autofocus>
            I have copied it
          </Button>
        </FormActions>
      </div>
    </Dialog>
  )
}
