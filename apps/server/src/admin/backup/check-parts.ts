import { checkObjects } from '../check/check-objects.ts'
import { checkSecrets } from '../check/check-secrets.ts'
import { checkWorkspaces } from '../check/check-workspaces.ts'
import type { Finding } from '../check/finding.ts'
import type { Installation } from '../open-installation.ts'
import { checkBackupFile } from './backup-files.ts'
import type { Manifest } from './manifest.ts'
import { checkObjectCopies } from './objects.ts'

export async function checkFiles(folder: string, manifest: Manifest): Promise<void> {
  for (const file of manifest.files) await checkBackupFile(folder, file)
  if (manifest.objects) await checkObjectCopies(folder)
}

export async function checkParts(
  installation: Installation,
  { hasKeys, hasObjects }: { hasKeys: boolean; hasObjects: boolean },
): Promise<Finding[]> {
  return [
    ...(hasKeys
      ? await checkSecrets(installation)
      : [
          {
            check: 'secrets',
            status: 'warning' as const,
            detail: 'the root key is not at hand, so they were not tried',
          },
        ]),
    ...(hasObjects
      ? await checkObjects(installation)
      : [{ check: 'files', status: 'warning' as const, detail: 'not in this backup' }]),
    ...(await checkWorkspaces(installation)),
  ]
}
