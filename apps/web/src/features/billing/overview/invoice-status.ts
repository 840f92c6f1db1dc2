import type { Invoice } from '@trellis/contract/billing/billing.schemas'
import type { Tone } from '../../../ui/feedback/Status.tsx'

type Status = Invoice['status']

export const INVOICE_LABELS: Record<Status, string> = {
  open: 'Open',
  paid: 'Paid',
  draft: 'Draft',
  void: 'Cancelled',
  uncollectible: 'Uncollectible',
}

export const INVOICE_TONES: Record<Status, Tone> = {
  open: 'warning',
  draft: 'warning',
  paid: 'success',
  void: 'danger',
  uncollectible: 'danger',
}
