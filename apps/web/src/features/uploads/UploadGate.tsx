import { EyeIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { FullNotice } from '../../ui/feedback/FullNotice.tsx'
import type { UploadScope } from './upload-scope.ts'

export function UploadGate({ scope, children }: { scope: UploadScope; children: ReactNode }) {
  if (scope.canUpload) return children
  return (
    <FullNotice icon={<EyeIcon />} title="You can look, but not upload">
      Files can be sent by editors and admins of this workspace. Ask one of them for the editor role.
    </FullNotice>
  )
}
