import { createElement } from 'react'
import { Navigate, type RouteObject } from 'react-router'
import { page } from './router-page.ts'
import { findBreadcrumbName } from './shell/breadcrumb-names.ts'

const editorRoutes: RouteObject[] = [
  {
    lazy: () => import('../features/dataflows/editor/EditorFrame.tsx'),
    children: [
      { index: true, lazy: () => import('../features/dataflows/editor/CanvasPage.tsx') },
      page({
        path: 'logs',
        handle: { title: 'Runs' },
        lazy: () => import('../features/runs/DataflowRunsPage.tsx'),
      }),
    ],
  },
  page({
    path: 'logs/:flowRun',
    handle: { title: 'Run' },
    lazy: () => import('../features/runs/flow-runs/FlowRunPage.tsx'),
  }),
  page({
    path: 'task/:taskBlock/setup',
    handle: { title: ({ taskBlock }) => findBreadcrumbName(taskBlock) ?? 'Set up' },
    lazy: () => import('../features/dataflows/setup/BlockSetupPage.tsx'),
  }),
  page({
    path: 'task/:taskBlock/logs',
    handle: { title: 'Runs of a block' },
    lazy: () => import('../features/runs/BlockRunsPage.tsx'),
  }),
  page({
    path: 'task/:taskBlock/log/:log/details',
    handle: { title: 'Log' },
    lazy: () => import('../features/runs/RunLogPage.tsx'),
  }),
]

export const dataflowRoutes: RouteObject[] = [
  page({
    path: 'dataflows',
    handle: { title: 'Dataflows' },
    children: [
      { index: true, lazy: () => import('../features/dataflows/list/DataflowsPage.tsx') },
      { path: 'folder', lazy: () => import('../features/dataflows/list/DataflowsPage.tsx') },
    ],
  }),
  page({
    path: 'dataflow',
    handle: { title: 'Dataflows' },
    children: [
      { index: true, element: createElement(Navigate, { to: '../dataflows', replace: true }) },
      page({
        path: ':dataflow/editor',
        handle: { title: ({ dataflow }) => findBreadcrumbName(dataflow) ?? 'Dataflow' },
        children: editorRoutes,
      }),
    ],
  }),
]
