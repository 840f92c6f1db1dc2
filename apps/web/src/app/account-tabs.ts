import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import type { Permission } from '@trellis/contract/core/permissions'
import { BrainCircuit, Building2, CreditCard, Gauge, ScrollText, Users, type LucideIcon } from 'lucide-react'
import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import { canIn } from '../features/accounts/accounts.queries.ts'

export interface AccountTab {
  value: string
  label: string
  title?: string
  icon: LucideIcon
  keywords: readonly string[]
  permission: Permission
  Content: LazyExoticComponent<ComponentType<{ accountCode: string }>>
}

/** Features register their tabs here. */
const accountTabs: readonly AccountTab[] = [
  {
    value: 'details',
    label: 'Details',
    title: 'Account settings',
    icon: Building2,
    keywords: ['account', 'name', 'owner', 'ownership', 'organization'],
    permission: 'account:read',
    Content: lazy(async () => ({ default: (await import('../features/accounts/DetailsTab.tsx')).DetailsTab })),
  },
  {
    value: 'members',
    label: 'Members',
    icon: Users,
    keywords: ['invite', 'invites', 'people', 'users', 'team', 'seats', 'roles'],
    permission: 'members:read',
    Content: lazy(async () => ({ default: (await import('../features/members/MembersTab.tsx')).MembersTab })),
  },
  {
    value: 'billing',
    label: 'Billing',
    icon: CreditCard,
    keywords: ['invoice', 'invoices', 'payment', 'card', 'subscription', 'receipt'],
    permission: 'billing:read',
    Content: lazy(async () => ({
      default: (await import('../features/billing/AccountBillingTab.tsx')).AccountBillingTab,
    })),
  },
  {
    value: 'plan-utilization',
    label: 'Plan & Utilization',
    icon: Gauge,
    keywords: ['plan', 'upgrade', 'downgrade', 'usage', 'limits', 'quota', 'credits', 'ai credits', 'storage'],
    permission: 'usage:read',
    Content: lazy(async () => ({
      default: (await import('../features/billing/PlanUtilizationTab.tsx')).PlanUtilizationTab,
    })),
  },
  {
    value: 'model',
    label: 'AI model',
    icon: BrainCircuit,
    keywords: ['model', 'llm', 'assistant', 'anthropic', 'claude', 'openai', 'ollama', 'api key'],
    permission: 'account:read',
    Content: lazy(async () => ({ default: (await import('../features/ai/model/ModelTab.tsx')).ModelTab })),
  },
  {
    value: 'audit',
    label: 'Audit log',
    icon: ScrollText,
    keywords: ['history', 'activity', 'who changed', 'events'],
    permission: 'audit:read',
    Content: lazy(async () => ({ default: (await import('../features/audit/AuditTab.tsx')).AuditTab })),
  },
]

export function listAccountTabs(account: Pick<Account, 'role'>): readonly AccountTab[] {
  return accountTabs.filter(({ permission }) => canIn(account, permission))
}

export const accountTabPath = (account: string, tab: string): string => `/${account}/settings?tab=${tab}`
