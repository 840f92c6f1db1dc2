import { useState } from 'react'
import { getErrorDetail } from '../../../../api/api-error.ts'
import { Button } from '../../../../ui/actions/Button.tsx'
import { CodeBlock } from '../../../../ui/data/CodeBlock.tsx'
import { Banner } from '../../../../ui/feedback/Banner.tsx'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import { useDataflowsScope } from '../../dataflows.queries.ts'
import { useRenewAlertKey } from '../setup.queries.ts'
import styles from './dataflow-settings.module.css'

export function WebhookKey({ dataflow, isDisabled }: { dataflow: string; isDisabled: boolean }) {
  const { address } = useDataflowsScope()
  const [isAsking, setAsking] = useState(false)
  const renew = useRenewAlertKey()
  const make = () =>
    renew.mutate({ params: { ...address, trellis_code: dataflow } }, { onSuccess: () => setAsking(false) })
  return (
    <div className={styles.stack}>
      <div className={styles.row}>
        <Button disabled={isDisabled} onClick={() => setAsking(true)}>
          New key
        </Button>
        <span className={styles.soft}>Messages to the webhook are signed, so that it can tell they are from here.</span>
      </div>
      {renew.data && (
        <>
          <Banner tone="warning" title="Copy it now">
            The key is shown this once. Messages are signed with it from now on.
          </Banner>
          <CodeBlock title="Signing key" code={renew.data.signature_key} isWrapped />
        </>
      )}
      {isAsking && (
        <ConfirmDialog
          title="Make a new signing key?"
          confirmLabel="Make a new key"
          isBusy={renew.isPending}
          error={renew.error ? getErrorDetail(renew.error) : undefined}
          onConfirm={make}
          onClose={() => setAsking(false)}
        >
          <p>
            The key before it ends at once. Whatever checks the signature refuses messages until it is given the new
            key.
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}
