import type { RouteObject } from 'react-router'
import { page } from './router-page.ts'

export const planRoutes: RouteObject[] = [
  page({
    path: '/plan-select',
    handle: { title: 'Select a plan', back: '/workspaces' },
    lazy: () => import('../features/billing/plans/PlanSelectPage.tsx'),
  }),
  page({
    path: '/plan-activation/:tmp_account_id',
    handle: { title: 'Plan activation' },
    lazy: () => import('../features/billing/activation/PlanActivationPage.tsx'),
  }),
]

export const accountBillingRoutes: RouteObject[] = [
  page({
    path: 'plan-change',
    handle: { title: 'Change plan', back: '/workspaces' },
    lazy: () => import('../features/billing/plans/PlanChangePage.tsx'),
  }),
]

export const workspaceBillingRoutes: RouteObject[] = [
  page({
    path: 'utilization',
    handle: { title: 'Utilization' },
    lazy: () => import('../features/utilization/UtilizationPage.tsx'),
  }),
  page({
    path: 'ai/billing',
    handle: { title: 'Billing' },
    lazy: () => import('../features/billing/BillingPage.tsx'),
  }),
  page({
    path: 'ai/plan-change',
    handle: { title: 'Change plan', back: '/workspaces' },
    lazy: () => import('../features/billing/plans/PlanChangePage.tsx'),
  }),
  page({
    path: 'ai/plan-activation',
    handle: { title: 'Plan activation' },
    lazy: () => import('../features/billing/activation/AccountActivationPage.tsx'),
  }),
]
