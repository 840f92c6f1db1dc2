import '@fontsource-variable/geist-mono/wght.css'
import '../ui/theme/tokens.css'
import '../ui/theme/base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { createQueryClient } from '../api/query-client.ts'
import { showToast } from '../ui/feedback/toasts.ts'
import { startReporting } from './reporting/report.ts'
import { watchLinks } from './router-prefetch.ts'
import { createRouter, routes } from './router.tsx'
import { AUTHENTICATION_ISSUE, logoutLocally } from './session/session.ts'

startReporting()

const queryClient = createQueryClient({
  toast: (tone, text) => showToast({ tone: tone === 'error' ? 'danger' : tone, text }),
  onSignedOut: () => logoutLocally({ notice: { tone: 'error', text: AUTHENTICATION_ISSUE } }),
})
const router = createRouter()
watchLinks(routes)

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
