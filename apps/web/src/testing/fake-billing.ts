import type { Invoice, PlanDetails } from '@trellis/contract/billing/billing.schemas'
import type { UsageDay, WorkspaceUtilization } from '@trellis/contract/utilization/utilization.endpoints'
import type * as z from 'zod/mini'

export interface FakeBilling {
  plan: z.infer<typeof PlanDetails>
  /** The new plan, and how many responses still report the old one. */
  later: { answers: number; plan: z.infer<typeof PlanDetails> } | null
  card: { brand: string; last4: string; exp_month: number; exp_year: number } | null
  invoices: Invoice[]
  usageDays: UsageDay[]
  utilization: WorkspaceUtilization
  /** How many responses still report an unpaid checkout. */
  unpaidAnswers: number
  opened: string[]
}

const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString()

export function createBilling(change: Partial<FakeBilling> = {}): FakeBilling {
  return {
    plan: {
      account_type: 'team',
      is_plan_managed: true,
      status: 'active',
      stripe_plan_end_date: null,
      stripe_plan_renewal_date: days(17.5),
      stripe_plan_cancelled_at: null,
      next_plan: null,
      days_left: 18,
    },
    later: null,
    card: { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2031 },
    invoices: [
      { id: 'in_5', status: 'open', created: days(-1), invoice_amount: 25, invoice_url: '/sandbox-pay/invoice/in_5' },
      {
        id: 'in_4',
        status: 'paid',
        created: days(-13),
        invoice_amount: 3000,
        invoice_url: '/sandbox-pay/invoice/in_4',
      },
      { id: 'in_3', status: 'void', created: days(-40), invoice_amount: 7.5, invoice_url: '/sandbox-pay/invoice/in_3' },
      { id: 'in_2', status: 'uncollectible', created: days(-44), invoice_amount: 3000, invoice_url: null },
      { id: 'in_1', status: 'draft', created: days(-75), invoice_amount: 950, invoice_url: null },
    ],
    usageDays: usageDays(90),
    utilization: createUtilization(),
    unpaidAnswers: 0,
    opened: [],
    ...change,
  }
}

function usageDays(length: number): UsageDay[] {
  return Array.from({ length }, (_, at) => {
    const date = new Date(Date.now() - (length - 1 - at) * 86_400_000)
    const isWeekend = date.getUTCDay() % 6 === 0
    return {
      day: date.toISOString().slice(0, 10),
      users: 3 + Math.floor(at / 30),
      workspaces: 1 + Math.floor(at / 40),
      storage_bytes: Math.round((1 + at * 0.022) * 1_073_741_824),
      credits_spent: isWeekend ? at % 5 : 20 + ((at * 37) % 45),
    }
  })
}

function createUtilization(): WorkspaceUtilization {
  const points = Array.from({ length: 30 }, (_, at) => ({
    at: days(at - 29),
    storage_bytes: (40 + at) * 1024 ** 2,
    rows_moved: 1000 + at,
    run_seconds: 60 * at,
    queries: at,
    credits_spent: 2,
  }))
  const sizes = points.map(({ at, storage_bytes }) => ({ at, bytes: storage_bytes }))
  return {
    unit: 'day',
    points,
    schemas: [{ schema_name: 'data', bytes: 69 * 1024 ** 2, points: sizes }],
    tables: [
      { schema_name: 'data', table_name: 'orders', bytes: 60 * 1024 ** 2, bytes_before: 40 * 1024 ** 2 },
      { schema_name: 'data', table_name: null, bytes: 9 * 1024 ** 2, bytes_before: null },
    ],
    people: [{ name: 'Ada Berg', queries: 435, credits_spent: 60 }],
    projects: [{ name: 'Sales', credits_spent: 60 }],
    storage: {
      used_bytes: 1024 ** 3,
      limit_bytes: 50 * 1024 ** 3,
      forecast: { bytes_per_day: 1024 ** 3, full_on: '2027-01-04' },
    },
  }
}
