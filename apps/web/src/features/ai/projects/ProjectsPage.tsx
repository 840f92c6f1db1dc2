import { FolderPlus, Sparkles } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { formatCount } from '../../../ui/data/amounts.ts'
import { useAddress } from '../../../ui/data/use-address.ts'
import { useUrlText } from '../../../ui/data/use-url-text.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { SearchField } from '../../../ui/forms/SearchField.tsx'
import styles from '../ai.module.css'
import { useAiProjects } from '../ai-projects.queries.ts'
import { Pager } from '../Pager.tsx'
import { useAi } from '../use-ai.ts'
import { useHandedOver } from '../use-new-chat.ts'
import { ProjectDialog } from './ProjectDialog.tsx'

export function Component() {
  const { params, paths, can } = useAi()
  const navigate = useNavigate()
  const address = useAddress()
  const question = useHandedOver()
  const page = Number(address.params.get('page') ?? 1) || 1
  const [words, setWords] = useUrlText('q')
  const projects = useAiProjects(params, page)
  const isNew = address.params.get('new') === '1' && can('ai:write')
  const openNew = () => address.put({ new: '1' })
  const create = can('ai:write') && (
    <Button variant="primary" icon={<FolderPlus aria-hidden />} onClick={openNew}>
      New project
    </Button>
  )
  return (
    <>
      <Loaded query={projects} subject="The AI projects">
        {({ items, pages, total }) => {
          if (total === 0) {
            return (
              <EmptyState
                icon={<Sparkles aria-hidden />}
                title="No AI projects yet"
                subtitle="A project names the tables the assistant may read, and explains the words of your business."
                action={create}
              />
            )
          }
          const searched = words.trim().toLowerCase()
          const projects = items.filter(({ name, description }) =>
            `${name} ${description}`.toLowerCase().includes(searched),
          )
          return (
            <>
              <div className={styles.bar}>
                <SearchField label="Search projects" value={words} onChange={(event) => setWords(event.target.value)} />
                {create}
              </div>
              {projects.length === 0 && <p className={styles.none}>No project matches “{words.trim()}”.</p>}
              <div className={styles.cards}>
                {projects.map((project) => (
                  <Link
                    key={project.project_trellis_code}
                    to={paths.project(project.project_trellis_code)}
                    className={classNames(styles.card)}
                  >
                    <strong>{project.name}</strong>
                    {project.description !== '' && <p>{project.description}</p>}
                    <p>
                      {formatCount(project.table_count, 'table')} · {formatCount(project.conversation_count, 'chat')}
                    </p>
                  </Link>
                ))}
              </div>
              <Pager page={page} pages={pages} onPage={(next) => address.put({ page: String(next) })} />
            </>
          )
        }}
      </Loaded>
      {isNew && (
        <ProjectDialog
          onSaved={({ project_trellis_code }) =>
            void navigate(paths.project(project_trellis_code), { state: { question } })
          }
          onClose={() => address.put({ new: null })}
        />
      )}
    </>
  )
}
