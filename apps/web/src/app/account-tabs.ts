import type { Permission } from '@trellis/contract/core/permissions'
import { lazy, type ComponentType, type LazyExoticComponent } from 'react'

export interface AccountTab {
  /** As it stands in `?tab=`. */
  value: string
  label: string
  /** Without this right the tab is not there. */
  permission: Permission
  Content: LazyExoticComponent<ComponentType<{ accountCode: string }>>
}

/** The tabs of the account settings. A feature adds its own here; the page around them knows none of them. */
export const accountTabs: readonly AccountTab[] = [
  {
    value: 'details',
    label: 'Details',
    permission: 'account:read',
    Content: lazy(async () => ({ default: (await import('../features/accounts/DetailsTab.tsx')).DetailsTab })),
  },
  {
    value: 'members',
    label: 'Members',
    permission: 'members:read',
    Content: lazy(async () => ({ default: (await import('../features/members/MembersTab.tsx')).MembersTab })),
  },
  {
    value: 'billing',
    label: 'Billing',
    permission: 'billing:read',
    Content: lazy(async () => ({ default: (await import('../features/billing/BillingTab.tsx')).BillingTab })),
  },
  {
    value: 'plan-utilization',
    label: 'Plan & Utilization',
    permission: 'usage:read',
    Content: lazy(async () => ({
      default: (await import('../features/billing/PlanUtilizationTab.tsx')).PlanUtilizationTab,
    })),
  },
  {
    value: 'audit',
    label: 'Audit log',
    permission: 'audit:read',
    Content: lazy(async () => ({ default: (await import('../features/audit/AuditTab.tsx')).AuditTab })),
  },
]
