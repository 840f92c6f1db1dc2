import { Select, type Option } from '../../ui/forms/Select.tsx'

interface ProjectSelectProps {
  projects: readonly { project_trellis_code: string; name: string }[]
  value: string
  placeholder?: string
  onChange: (code: string) => void
}

export function ProjectSelect({ projects, value, placeholder, onChange }: ProjectSelectProps) {
  const options: Option[] = projects.map(({ project_trellis_code, name }) => ({
    value: project_trellis_code,
    label: name,
  }))
  return (
    <Select
      label="Project"
      value={value}
      options={options}
      {...(placeholder !== undefined && { placeholder })}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
