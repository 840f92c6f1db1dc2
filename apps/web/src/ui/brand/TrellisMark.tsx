interface TrellisMarkProps {
  size?: number
  className?: string | undefined
}

/** The Trellis mark. Decorative: the name always stands beside it or labels the link around it. */
export function TrellisMark({ size = 24, className }: TrellisMarkProps) {
  return (
    <svg className={className} width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <rect width="24" height="24" rx="6.5" fill="var(--accent-solid)" />
      <g stroke="#fff" strokeWidth="1.9" strokeLinecap="round" strokeLinejoin="round">
        <path d="M6.6 7.6 12 13.6l5.4-6" strokeOpacity=".55" />
        <path d="M6.2 7.4h11.6M12 7.4v10.4" />
      </g>
    </svg>
  )
}
