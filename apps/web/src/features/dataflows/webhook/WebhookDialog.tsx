import type { DataflowSummary } from '@trellis/contract/dataflows/dataflows.schemas'
import type { InboundWebhook } from '@trellis/contract/runs/inbound-webhooks.schemas'
import { RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { getErrorDetail } from '../../../api/api-error.ts'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { CodeBlock } from '../../../ui/data/CodeBlock.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { useDataflowsScope } from '../dataflows.queries.ts'
import { useCreateWebhook, useDeleteWebhook, useRotateWebhook, useWebhook } from './webhook.queries.ts'
import styles from './webhook.module.css'

interface DialogProps {
  dataflow: Pick<DataflowSummary, 'trellis_code' | 'name' | 'is_paused'>
  onClose: () => void
}

/** The secret is shown only right after it was created. */
export default function WebhookDialog({ dataflow, onClose }: DialogProps) {
  const query = useWebhook(dataflow.trellis_code)
  const [url, setUrl] = useState<string | null>(null)
  return (
    <Dialog
      size="md"
      title="Start by webhook"
      onClose={onClose}
      footer={<Button onClick={onClose}>{url === null ? 'Close' : 'Done'}</Button>}
    >
      <div className={styles.stack}>
        <p>
          A POST to this URL runs “{dataflow.name}” from its first blocks, as Run all does. The request body is ignored.
        </p>
        <Loaded query={query} subject="The webhook URL" skeletonHeights={[72, 32]}>
          {({ webhook }) =>
            webhook ? (
              <WebhookDetails {...{ dataflow, webhook, url, onClose }} onNewUrl={setUrl} />
            ) : (
              <CreateWebhook dataflow={dataflow.trellis_code} onCreated={setUrl} />
            )
          }
        </Loaded>
      </div>
    </Dialog>
  )
}

function CreateWebhook({ dataflow, onCreated }: { dataflow: string; onCreated: (url: string) => void }) {
  const { address, canWrite } = useDataflowsScope()
  const create = useCreateWebhook(({ url }) => onCreated(url))
  if (!canWrite) return <p>There is no webhook URL yet. Somebody who may edit dataflows can create one.</p>
  const submit = () => create.mutate({ params: { ...address, trellis_code: dataflow } })
  return (
    <>
      {create.error && (
        <Banner tone="danger" title="The webhook URL was not created">
          {getErrorDetail(create.error)}
        </Banner>
      )}
      <div className={styles.actions}>
        <Button variant="primary" isBusy={create.isPending} onClick={submit}>
          Create webhook URL
        </Button>
      </div>
      <p className={styles.soft}>Whoever has the URL can start the dataflow, and do nothing else.</p>
    </>
  )
}

interface WebhookDetailsProps extends DialogProps {
  webhook: InboundWebhook
  url: string | null
  onNewUrl: (url: string | null) => void
}

function WebhookDetails({ dataflow, webhook, url, onNewUrl, onClose }: WebhookDetailsProps) {
  const { canWrite } = useDataflowsScope()
  return (
    <>
      {dataflow.is_paused && (
        <Banner tone="warning" title="The dataflow is paused">
          Calls are refused until it is resumed.
        </Banner>
      )}
      {url === null ? <MaskedUrl webhook={webhook} canWrite={canWrite} /> : <NewUrl url={url} />}
      <WebhookFacts webhook={webhook} dataflow={dataflow.trellis_code} onLeave={onClose} />
      {canWrite && <WebhookActions dataflow={dataflow.trellis_code} onNewUrl={onNewUrl} />}
    </>
  )
}

function NewUrl({ url }: { url: string }) {
  const example = `curl -X POST '${url}' \\\n  -H 'Idempotency-Key: order-1001'`
  return (
    <>
      <Banner tone="warning" title="Copy it now">
        The URL is shown this once. Keep it like a password.
      </Banner>
      <CodeBlock title="Webhook URL" code={url} isWrapped />
      <CodeBlock title="Example" code={example} isWrapped />
      <p className={styles.soft}>
        The Idempotency-Key is optional: a call that is repeated with the same key starts nothing again.
      </p>
    </>
  )
}

function MaskedUrl({ webhook, canWrite }: { webhook: InboundWebhook; canWrite: boolean }) {
  return (
    <>
      <div className={styles.address} role="group" aria-label="URL without its secret">
        {webhook.url_prefix}
        <span aria-label="secret">••••••••</span>
      </div>
      <p className={styles.soft}>
        {canWrite
          ? 'The secret was shown when the URL was created. Rotate it to get a complete URL again.'
          : 'The secret is shown only to whoever creates the URL.'}
      </p>
    </>
  )
}

function WebhookFacts({
  webhook,
  dataflow,
  onLeave,
}: {
  webhook: InboundWebhook
  dataflow: string
  onLeave: () => void
}) {
  const { paths } = useDataflowsScope()
  const { last_call: call } = webhook
  return (
    <dl className={styles.facts}>
      <dt>Created</dt>
      <dd>
        <DateTime value={webhook.created_at} />
        {webhook.who !== null && <span>by {webhook.who}</span>}
      </dd>
      {webhook.rotated_at !== null && (
        <>
          <dt>Rotated</dt>
          <dd>
            <DateTime value={webhook.rotated_at} />
          </dd>
        </>
      )}
      <dt>Last call</dt>
      <dd>
        {call ? (
          <>
            <DateTime value={call.at} format="recent" />
            <Link to={paths.flowRun(dataflow, call.flow_run_trellis_code)} onClick={onLeave}>
              Open its run
            </Link>
          </>
        ) : (
          'None yet'
        )}
      </dd>
    </dl>
  )
}

function WebhookActions({ dataflow, onNewUrl }: { dataflow: string; onNewUrl: (url: string | null) => void }) {
  const { address } = useDataflowsScope()
  const [confirmation, setConfirmation] = useState<'rotate' | 'remove' | null>(null)
  const closeConfirmation = () => setConfirmation(null)
  const rotate = useRotateWebhook(({ url }) => {
    onNewUrl(url)
    closeConfirmation()
  })
  const remove = useDeleteWebhook(() => onNewUrl(null))
  const input = { params: { ...address, trellis_code: dataflow } }
  const openConfirmation = (action: 'rotate' | 'remove') => {
    rotate.reset()
    remove.reset()
    setConfirmation(action)
  }
  return (
    <div className={styles.actions}>
      <Button icon={<RefreshCw aria-hidden />} onClick={() => openConfirmation('rotate')}>
        Rotate secret
      </Button>
      <Button icon={<Trash2 aria-hidden />} onClick={() => openConfirmation('remove')}>
        Remove webhook URL
      </Button>
      {confirmation === 'rotate' && (
        <ConfirmDialog
          title="Rotate the secret?"
          confirmLabel="Rotate secret"
          isBusy={rotate.isPending}
          error={rotate.error ? getErrorDetail(rotate.error) : undefined}
          onConfirm={() => rotate.mutate(input)}
          onClose={closeConfirmation}
        >
          <p>
            The current URL stops working immediately. Systems that call it start nothing until they have the new one.
          </p>
        </ConfirmDialog>
      )}
      {confirmation === 'remove' && (
        <ConfirmDialog
          title="Remove the webhook URL?"
          confirmLabel="Remove webhook URL"
          isBusy={remove.isPending}
          error={remove.error ? getErrorDetail(remove.error) : undefined}
          onConfirm={() => remove.mutate(input)}
          onClose={closeConfirmation}
        >
          <p>
            The URL stops working immediately: systems that call it start nothing any more. A new one will be different.
          </p>
        </ConfirmDialog>
      )}
    </div>
  )
}
