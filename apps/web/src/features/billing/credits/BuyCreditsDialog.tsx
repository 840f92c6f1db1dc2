import { CreditsAmount } from '@trellis/contract/billing/billing.schemas'
import { CREDITS_STEP, MAX_CREDITS } from '@trellis/contract/billing/plans'
import * as z from 'zod/mini'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { FormTextField } from '../../../ui/forms/Form.tsx'
import { FormDialog } from '../../../ui/forms/FormDialog.tsx'
import { useSchemaForm } from '../../../ui/forms/schema-form.ts'
import { useBuyCredits } from '../billing.queries.ts'
import { parsePacks, PRICE_PER_STEP, formatPrice } from './credits-price.ts'
import styles from './credits.module.css'

const Purchase = z.object({ amount: CreditsAmount })

export function BuyCreditsDialog({ accountCode, onClose }: { accountCode: string; onClose: () => void }) {
  const buy = useBuyCredits(accountCode)
  const form = useSchemaForm(Purchase, { amount: '' })
  const price = formatPrice(form.values.amount)
  // The form stays disabled until the browser has left for the checkout.
  const isLeaving = buy.isPending || buy.isSuccess
  const submit = async ({ amount }: { amount: string }) => {
    const packs = parsePacks(amount)
    if (packs !== undefined) await buy.mutateAsync(packs).catch(() => undefined)
  }
  return (
    <FormDialog
      title="Buy credits"
      form={form}
      submitLabel="Go to checkout"
      isBusy={isLeaving}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className={styles.lead}>
        {PRICE_PER_STEP}. Add-on credits are used after the monthly ones and roll over to the next month.
      </p>
      {buy.isError && (
        <Banner tone="danger" onDismiss={() => buy.reset()}>
          Something went wrong. Please try again.
        </Banner>
      )}
      <FormTextField
        name="amount"
        label="Number of credits"
        hint={`In hundreds, at most ${MAX_CREDITS.toLocaleString('en-US')} at a time.`}
        inputMode="numeric"
        autoComplete="off"
        placeholder={String(CREDITS_STEP)}
        data-autofocus
      />
      <p className={styles.total} role="status">
        <span>Total</span>
        <strong>{price ?? '–'}</strong>
      </p>
    </FormDialog>
  )
}
