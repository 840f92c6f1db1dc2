const ABBREVIATIONS = new Map(
  `nm=name prt=part rt=rate lbr=labor labr=labor crit=criticality warr=warranty wrnty=warranty dt=date cd=code amt=amount qty=quantity grp=group desc=description descr=description no=number num=number nr=number dept=department
  appt=appointment phys=physician rx=prescription dx=diagnosis cust=customer prod=product inv=invoice emp=employee mgr=manager addr=address
  tel=phone acct=account acc=account txn=transaction trx=transaction pmt=payment ord=order cat=category stat=status sts=status flg=flag
  ts=timestamp cnt=count pct=percent perc=percent avg=average tot=total min=minutes mins=minutes sec=seconds secs=seconds hr=hours hrs=hours
  yr=year mo=month mth=month ctry=country cntry=country loc=location org=organisation orig=origin dest=destination dep=departure arr=arrival
  stud=student std=student crs=course instr=instructor flt=flight pax=passenger veh=vehicle wh=warehouse whs=warehouse mfr=manufacturer
  mfg=manufacturer sal=salary fname=first_name lname=last_name dob=birth_date bday=birth_date tm=time img=image lvl=level subj=subject
  exp=experience yrs=years enr=enrolment lic=licence attn=attendance lang=language pop=population dist=distance spec=specialty sup=supplier
  supp=supplier usr=user res=reservation canc=cancelled bal=balance disc=discount rev=revenue msg=message temp=temperature max=maximum
  len=length wt=weight ht=height ttl=title typ=type prc=price rtg=rating rvw=review fst=first lst=last gndr=gender ctrct=contract req=request
  bdgt=budget perf=performance curr=currency cur=currency shp=shipment shpmt=shipment pkg=package mgmt=management svc=service cmpy=company
  beg=begin upd=updated crt=created htl=hotel rm=room rms=rooms resv=reservation rsv=reservation rsvn=reservation bkg=booking bk=booking
  gst=guest cxl=cancelled cncl=cancelled pymt=payment pmnt=payment pd=paid chk=check subs=subscription sub=subscription mbr=member mem=member
  dnr=donor vol=volunteer evt=event ev=event prj=project proj=project tsk=task asgn=assignment mtr=meter rdg=reading cons=consumption
  chg=charge chrg=charge fac=faculty prof=professor sem=semester enrl=enrolment grd=grade cred=credits pgm=program prog=program maj=major
  pat=patient pt=patient adm=admission disch=discharge hosp=hospital ins=insurance clm=claim pol=policy prem=premium agt=agent brnch=branch
  br=branch wrhs=warehouse itm=item ctg=category ctgry=category catg=category mnfr=manufacturer vnd=vendor vend=vendor splr=supplier
  po=purchase_order rcpt=receipt rtn=return rfnd=refund dlv=delivery dlvry=delivery del=deleted strt=start eff=effective lim=limit
  bld=building bldg=building flr=floor apt=apartment zip=postcode ph=phone eml=email dur=duration spd=speed tmp=temperature elec=electricity
  eqp=equipment equip=equipment mnt=maintenance maint=maintenance insp=inspection tech=technician sched=schedule attd=attendance prio=priority
  sev=severity nbr=number qnt=quantity val=value ben=beneficiary opp=opportunity camp=campaign cmpgn=campaign chan=channel src=source
  ref=reference usg=usage sess=session dev=device batt=battery bat=battery fw=firmware sw=software hw=hardware ver=version vers=version
  cap=capacity ack=acknowledged qual=quality uom=unit meas=measurement sens=sensor alrt=alert almt=alert cfg=configuration ctr=centre
  ctrl=control diff=difference est=estimated act=actual pln=planned plnd=planned approx=approximate auth=author ep=episode seq=sequence
  lbl=label mkt=market mktg=marketing natl=national intl=international occ=occupation perm=permit prmt=permit viol=violation appl=application
  appr=approved rej=rejected recv=received rcvd=received rcv=received sgmt=segment seg=segment stck=stock stk=stock trk=track trn=training
  trng=training tgt=target util=utilisation vat=vat wrk=work wkr=worker yld=yield zn=zone ln=line hist=history idx=index indiv=individual
  init=initial lat=latitude lon=longitude lng=longitude mat=material mfd=manufactured nat=nationality obs=observation opr=operator
  oper=operator pos=position pref=preferred proc=procedure qtr=quarter rgn=region reg=region rslt=result smpl=sample spc=species
  sqft=square_feet sqm=square_metres vet=veterinarian vsl=vessel voy=voyage vst=visit wo=work_order xfer=transfer so=sales_order lin=line
  lne=line dtl=detail dtls=details frt=freight lmt=limit cr=credit blk=blocked sls=sales slsrep=sales_rep salesrep=sales_rep cst=cost
  rord=reorder reord=reorder oh=on_hand shpd=shipped vndr=vendor supl=supplier mtrl=material matl=material prty=priority dscr=description
  crncy=currency ccy=currency rqst=request rqstr=requester apprv=approved aprv=approved aprvd=approved cncld=cancelled canx=cancelled
  delv=delivery dlvd=delivered rcvr=receiver sndr=sender wgt=weight hgt=height wdth=width lgth=length vlm=volume tmstmp=timestamp
  tstamp=timestamp opn=open clsd=closed cls=class stp=stop dte=date nme=name cty=city st=state cmpl=completed compl=completed
  mntnce=maintenance plt=plant mach=machine mch=machine shft=shift wrkr=worker brd=board tkt=ticket tck=ticket asgnd=assigned rslvd=resolved
  reslv=resolved agcy=agency cntr=contract contr=contract cntrct=contract agrmt=agreement agmt=agreement bnk=bank chq=cheque wthdr=withdrawal
  xfr=transfer tfr=transfer int=interest prin=principal pmnts=payments dlq=delinquent apl=application rmk=remark cmt=comment cmnt=comment
  ntf=notification rtrn=return ret=return rma=return ovr=overtime ot=overtime hrly=hourly slry=salary bnf=benefit trm=term trmn=termination
  dir=director fnd=fund don=donation pldg=pledge`
    .split(/\s+/)
    .map((pair) => pair.replaceAll('_', ' ').split('=') as [string, string]),
)

/** `qty` → quantity */
export const expandAbbreviation = (part: string): string | undefined => ABBREVIATIONS.get(part)

/** Ambiguous: `std_cst` is a standard cost, `std_nm` a student's name. */
const AMBIGUOUS_ABBREVIATIONS: Readonly<
  Record<string, { readonly means: string; readonly before?: RegExp; readonly after?: RegExp }>
> = {
  std: { means: 'standard', before: /^(?:cst|cost|prc|price|dev|rate|hrs?|hours?|time|tm)$/ },
  lst: { means: 'list', before: /^(?:prc|price)$/ },
  pt: { means: 'point', after: /^(?:rord|reord|reorder|data|price|prc)$/ },
  act: { means: 'active', before: /^(?:flg|flag|ind|yn|jn|stat|status)$/ },
  req: { means: 'requested', before: /^(?:dt|date|dte|ship|shp|dlv|qty)$/ },
  shp: { means: 'shipped', before: /^(?:dt|date|dte|qty|flg)$/, after: /^qty$/ },
  ord: { means: 'ordered', after: /^qty$/ },
  rsv: { means: 'reserved', after: /^qty$/ },
  rcv: { means: 'received', after: /^qty$/ },
  min: { means: 'minimum', before: /./ },
  obs: { means: 'obsolete', before: /^(?:flg|flag|ind|yn)$/ },
  inst: { means: 'installed', before: /^(?:dt|date|dte)$/ },
  rpt: { means: 'reported', before: /^(?:dt|date|dte|by)$/ },
}

export function expandAmbiguousAbbreviation(part: string, next = '', previous = ''): string | undefined {
  const rule = AMBIGUOUS_ABBREVIATIONS[part]
  return rule && (rule.before?.test(next) || rule.after?.test(previous)) ? rule.means : undefined
}
