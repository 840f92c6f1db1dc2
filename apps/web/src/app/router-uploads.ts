import type { RouteObject } from 'react-router'
import { page } from './router-page.ts'

const wizard = () => import('../features/uploads/UploadWizardPage.tsx')
const success = () => import('../features/uploads/success/UploadSuccessPage.tsx')

export const schemaFilesRoutes: RouteObject[] = [
  page({
    path: 'files',
    handle: { title: 'Files' },
    lazy: () => import('../features/uploads/SchemaFilesPage.tsx'),
  }),
]

export const schemaUploadRoutes: RouteObject[] = [
  page({ path: 'files/new', handle: { title: 'New table from a file' }, lazy: wizard }),
  page({ path: 'files/new/:fileId/success', handle: { title: 'Table created' }, lazy: success }),
]

export const tableUploadRoutes: RouteObject[] = [
  page({
    path: 'upload',
    handle: { title: 'Upload' },
    lazy: () => import('../features/uploads/TableUploadPage.tsx'),
  }),
  page({ path: 'append', handle: { title: 'Append' }, lazy: wizard }),
  page({ path: 'replace', handle: { title: 'Replace' }, lazy: wizard }),
  page({ path: 'upsert', handle: { title: 'Upsert' }, lazy: wizard }),
  page({ path: 'append/:fileId/success', handle: { title: 'Rows appended' }, lazy: success }),
  page({ path: 'replace/:fileId/success', handle: { title: 'Rows replaced' }, lazy: success }),
  page({ path: 'upsert/:fileId/success', handle: { title: 'Rows upserted' }, lazy: success }),
]
