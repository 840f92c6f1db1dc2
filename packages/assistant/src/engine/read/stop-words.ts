const ARTICLES = new Set(['the', 'a', 'an', 'of', 'our', 'their', 'its', 'his', 'her', 'all'])

const STOP_WORDS = new Set(
  `show list give get me all the a an of in on for from to with who whom whose which that those these were are is was be been being do does did
  have has had having there our we us my your their its it they them he she any what how many much please tell find display and or as at by per
  come comes came coming place placed make makes got i want need know like belong belongs currently so far ever data record records rows row entry entries
  lasted lasting lasts took please than then also only just about into out up off this can could would should will may might via through using used where when if while between both
  each every some such same more less other others total number count average sum value values according versus vs compare compared comparison
  see look break down split develop developed trend evolution history given taken take takes most least per yet still now here live lives living
  work works working worked happen happened been exist exists return details detail information info overview report many people's brought bring brings during
  within over share shares respectively separately go goes going went it's what's who's me's let let's named called name's people person persons want wants someone anyone anybody everybody anything`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

/** Connecting words: ignoring them hardly changes the meaning. */
const MINOR_STOP_WORDS = new Set(
  `new based located situated hold holds holding held own owns owned under above worth bought sold date dates day time name names amount
  made done stay stays stayed belonging related regarding concerning available existing certain various different current overall recorded registered kept stored
  host hosts hosted run runs operate operates operated offer offers offered manage manages managed maintain maintains
  job jobs item items because involved due handle handled handles give gives gave conduct conducted conducts perform performed performs serve served process processed database system`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

/** "based", "new": may be ignored at a small cost. */
export const isMinorWord = (word: string): boolean => MINOR_STOP_WORDS.has(word)
export const isArticle = (word: string): boolean => ARTICLES.has(word)
/** "show", "the": ignored at no cost. */
export const isStopWord = (word: string): boolean => STOP_WORDS.has(word) || (word.length < 2 && !/\d/.test(word))
