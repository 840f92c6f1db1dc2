import { Command } from 'cmdk'
import { FileCode2, FolderGit2 } from 'lucide-react'
import { explorerPaths } from '../../features/explorer/explorer-paths.ts'
import { useProjects, useWorksheetSearch } from '../../features/worksheets/worksheets.queries.ts'
import { useSettled } from '../../ui/data/use-settled.ts'
import type { RouteLocation } from '../router-paths.ts'
import { pathInWorkspace } from '../shell/sidebar-lines.ts'
import { PaletteLine } from './PaletteLine.tsx'

const SHOWN = 6
const SHORTEST = 2

interface WorksheetHitsProps {
  place: RouteLocation
  words: string
  onGo: (to: string) => () => void
}

export function WorksheetHits({ place, words, onGo }: WorksheetHitsProps) {
  const settled = useSettled(words.trim())
  const { account, workspace } = place
  const isAsking = account !== undefined && workspace !== undefined && settled.length >= SHORTEST
  const params = isAsking ? { account_trellis_code: account, workspace_address: workspace } : null
  const { data: hits = [] } = useWorksheetSearch(params, settled)
  const { data: projects = [] } = useProjects(params)
  const namedProjects = projects.filter(({ name }) => name.toLowerCase().includes(settled.toLowerCase()))
  if (!isAsking || (hits.length === 0 && namedProjects.length === 0)) return null
  const paths = explorerPaths(pathInWorkspace(place, ''))
  return (
    <Command.Group heading="Worksheets">
      {hits.slice(0, SHOWN).map(({ project_id: projectId, folder_id: folderId, file_id: fileId, name, ...hit }) => (
        <PaletteLine
          key={`${projectId} ${fileId}`}
          id={`worksheet ${fileId} ${hit.path}`}
          title={name}
          note={hit.line === null ? hit.project_name : `${hit.project_name} · line ${hit.line.number}`}
          keywords={[hit.line?.text ?? '']}
          icon={<FileCode2 aria-hidden />}
          onSelect={onGo(paths.worksheet({ projectId, folderId, fileId, name }))}
        />
      ))}
      {namedProjects.slice(0, SHOWN).map(({ project_id: id, name }) => (
        <PaletteLine
          key={id}
          id={`project ${id}`}
          title={name}
          note="Project"
          icon={<FolderGit2 aria-hidden />}
          onSelect={onGo(`${paths.worksheets}#${id}`)}
        />
      ))}
    </Command.Group>
  )
}
