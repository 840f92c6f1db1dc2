import { Eye } from 'lucide-react'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../ui/actions/Button.tsx'
import { FullNotice } from '../../ui/feedback/FullNotice.tsx'
import { useIntegrationsPlace } from './use-integrations.ts'

export function WriteGate({ children }: { children: ReactNode }) {
  const { canWrite, paths } = useIntegrationsPlace()
  if (canWrite) return children
  return (
    <FullNotice
      icon={<Eye />}
      title="You can look, but not connect"
      actions={<ButtonLink to={paths.list}>All connections</ButtonLink>}
    >
      Connections are set up by editors and admins of this workspace. Ask one of them for the editor role.
    </FullNotice>
  )
}
