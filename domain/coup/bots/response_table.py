"""What `python -m bench.coup_best_response` has learned against `policy`: situations and the best move in each."""

from __future__ import annotations

from typing import Final

CELLS: Final = """
am013=ClaimExchange am014=ClaimExchange am020=TakeIncome am022=ClaimExchange am113=ClaimExchange am120=ClaimTax
am122=ClaimExchange am213=ClaimAssassination am313=TakeForeignAid amam010=TakeForeignAid amam020=ClaimExchange
amam110=TakeForeignAid amam120=TakeForeignAid amam210=TakeIncome amas010=TakeForeignAid amas012=ClaimExchange
amas020=ClaimExchange amas022=ClaimSteal amas110=ClaimExchange amas120=ClaimExchange amas210=TakeIncome
amas220=ClaimAssassination amca010=ClaimExchange amca020=ClaimExchange amca022=ClaimExchange amca110=TakeForeignAid
amca120=ClaimTax amca122=ClaimTax amca210=TakeForeignAid amca310=ClaimAssassination amco010=ClaimExchange amco020=ClaimTax
amco022=TakeForeignAid amco110=ClaimExchange amco120=TakeIncome amco210=ClaimExchange amco220=ClaimAssassination
amco222=ClaimAssassination amco310=ClaimExchange amdu010=ClaimTax amdu020=ClaimExchange amdu022=ClaimSteal amdu110=ClaimTax
amdu120=ClaimTax amdu210=TakeForeignAid amdu220=ClaimAssassination amdu310=ClaimTax amdu320=ClaimTax amdu410=LaunchCoup
as010=TakeIncome as011=TakeIncome as012=ClaimExchange as013=ClaimExchange as014=TakeIncome as020=TakeForeignAid
as022=ClaimExchange as023=ClaimExchange as112=TakeIncome as113=ClaimExchange as114=ClaimSteal as122=ClaimExchange
as123=ClaimExchange as124=TakeIncome as212=ClaimAssassination as213=ClaimAssassination as214=ClaimAssassination
as220=ClaimExchange as222=ClaimExchange as223=ClaimExchange as313=ClaimAssassination asas010=ClaimTax asas020=ClaimExchange
asca010=TakeForeignAid asca012=ClaimSteal asca013=TakeForeignAid asca020=ClaimExchange asca022=ClaimSteal
asca110=TakeForeignAid asca210=ClaimAssassination asca220=ClaimAssassination asca310=ClaimAssassination asco010=ClaimExchange
asco012=TakeIncome asco020=ClaimExchange asco022=ClaimExchange asco110=TakeIncome asco120=TakeIncome asco210=TakeForeignAid
asco220=ClaimAssassination asdu010=ClaimTax asdu012=ClaimSteal asdu020=ClaimExchange asdu022=TakeForeignAid asdu110=ClaimTax
asdu120=TakeIncome asdu210=ClaimAssassination asdu212=ClaimAssassination asdu220=TakeIncome asdu223=TakeIncome asdu224=ClaimTax
asdu310=ClaimAssassination asdu410=LaunchCoup b-15-assassination-co-0-0-1-1-3-1=Challenge
b-15-assassination-co-0-0-1-2-0-1=LetPass b-15-assassination-co-0-0-1-2-2-1=LetPass b-15-assassination-co-0-0-1-2-3-1=LetPass
b-15-assassination-co-0-0-2-1-0-1=LetPass b-15-assassination-co-0-0-2-2-0-1=LetPass b-15-assassination-co-1-0-1-1-2-1=Challenge
b-15-assassination-co-1-0-1-1-3-1=Challenge b-15-assassination-co-1-0-1-1-4-1=Challenge
b-15-assassination-co-1-0-1-2-2-1=LetPass b-15-assassination-co-1-0-1-2-3-1=LetPass b-15-assassination-co-1-1-1-1-3-1=Challenge
b-15-assassination-co-1-1-1-2-2-1=LetPass b-15-assassination-co-1-1-2-1-0-1=LetPass b-15-assassination-co-1-1-2-2-0-1=LetPass
b-15-assassination-co-2-0-1-1-3-1=Challenge b-15-assassination-co-2-1-1-1-3-1=Challenge
b-15-assassination-co-2-1-1-2-2-1=LetPass b-15-assassination-co-3-1-1-1-3-1=Challenge b-15-foreign-aid-du-0-0-1-1-2-1=LetPass
b-15-foreign-aid-du-0-0-1-2-0-1=Challenge b-15-foreign-aid-du-0-0-1-2-2-1=Challenge b-15-foreign-aid-du-0-0-1-2-4-1=LetPass
b-15-foreign-aid-du-0-0-2-1-0-1=Challenge b-15-foreign-aid-du-0-0-2-2-0-1=LetPass b-15-foreign-aid-du-0-0-2-2-2-1=Challenge
b-15-foreign-aid-du-1-0-2-1-0-1=Challenge b-15-foreign-aid-du-1-1-2-1-0-1=Challenge b-15-foreign-aid-du-1-1-2-2-0-1=LetPass
b-15-foreign-aid-du-1-1-2-2-2-1=Challenge b-15-steal-am-0-0-1-1-2-1=LetPass b-15-steal-am-0-0-1-2-0-1=LetPass
b-15-steal-am-0-0-1-2-2-1=LetPass b-15-steal-am-0-0-1-2-3-1=LetPass b-15-steal-am-0-0-1-2-4-1=LetPass
b-15-steal-am-0-0-2-1-0-1=LetPass b-15-steal-am-0-0-2-1-2-1=Challenge b-15-steal-am-0-0-2-2-0-1=LetPass
b-15-steal-am-0-1-1-1-2-1=Challenge b-15-steal-am-0-1-1-1-4-1=Challenge b-15-steal-am-0-1-1-2-2-1=LetPass
b-15-steal-am-0-1-1-2-4-1=LetPass b-15-steal-am-0-1-2-1-0-1=LetPass b-15-steal-am-0-1-2-1-2-1=Challenge
b-15-steal-am-0-1-2-2-0-1=LetPass b-15-steal-am-0-1-2-2-2-1=LetPass b-15-steal-am-1-0-1-2-4-1=LetPass
b-15-steal-am-1-1-2-1-0-1=Challenge b-15-steal-am-1-1-2-2-0-1=LetPass b-15-steal-am-1-1-2-2-2-1=LetPass
b-15-steal-ca-0-0-1-1-2-1=LetPass b-15-steal-ca-0-0-1-1-3-1=LetPass b-15-steal-ca-0-0-1-2-0-1=LetPass
b-15-steal-ca-0-0-1-2-2-1=LetPass b-15-steal-ca-0-0-1-2-3-1=LetPass b-15-steal-ca-0-0-1-2-4-1=LetPass
b-15-steal-ca-0-0-2-1-0-1=LetPass b-15-steal-ca-0-0-2-2-0-1=LetPass b-15-steal-ca-0-0-2-2-4-1=LetPass
b-15-steal-ca-0-1-1-1-3-1=LetPass b-15-steal-ca-0-1-2-2-0-1=LetPass b-15-steal-ca-0-1-2-2-2-1=LetPass
b-15-steal-ca-1-0-1-2-2-1=LetPass b-15-steal-ca-1-0-1-2-4-1=LetPass b-15-steal-ca-1-1-1-1-4-1=LetPass
b-15-steal-ca-1-1-1-2-2-1=LetPass b-15-steal-ca-1-1-1-2-4-1=LetPass b-15-steal-ca-1-1-2-1-0-1=LetPass
b-15-steal-ca-1-1-2-1-2-1=LetPass b-15-steal-ca-1-1-2-2-0-1=LetPass b-15-steal-ca-1-1-2-2-2-1=LetPass
b-5-assassination-as-0-0-1-1-0-0=LetPass b-5-assassination-as-0-0-2-1-0-0=LetPass b-5-assassination-as-0-1-1-1-0-0=Block
b-5-assassination-as-0-1-2-1-0-0=Block b-5-assassination-as-1-0-1-1-0-0=LetPass b-5-assassination-as-1-1-1-1-0-0=Block
b-5-assassination-as-1-1-2-1-0-0=Block b-5-foreign-aid--0-0-1-1-0-0=LetPass b-5-foreign-aid--0-0-1-1-1-0=LetPass
b-5-foreign-aid--0-0-1-1-2-0=LetPass b-5-foreign-aid--0-0-1-1-3-0=LetPass b-5-foreign-aid--0-0-1-2-0-0=LetPass
b-5-foreign-aid--0-0-1-2-1-0=LetPass b-5-foreign-aid--0-0-1-2-2-0=LetPass b-5-foreign-aid--0-0-1-2-3-0=Block
b-5-foreign-aid--0-0-2-1-0-0=LetPass b-5-foreign-aid--0-0-2-1-2-0=LetPass b-5-foreign-aid--0-0-2-1-3-0=LetPass
b-5-foreign-aid--0-0-2-2-0-0=Block b-5-foreign-aid--0-0-2-2-2-0=Block b-5-foreign-aid--0-1-1-1-0-0=Block
b-5-foreign-aid--0-1-1-1-2-0=Block b-5-foreign-aid--0-1-1-1-3-0=Block b-5-foreign-aid--0-1-1-2-0-0=LetPass
b-5-foreign-aid--0-1-1-2-1-0=Block b-5-foreign-aid--0-1-1-2-2-0=LetPass b-5-foreign-aid--0-1-1-2-3-0=Block
b-5-foreign-aid--0-1-2-1-0-0=Block b-5-foreign-aid--0-1-2-2-0-0=Block b-5-foreign-aid--0-1-2-2-2-0=LetPass
b-5-foreign-aid--0-1-2-2-3-0=LetPass b-5-steal-ca-0-0-1-1-0-0=Block b-5-steal-ca-0-0-1-1-1-0=LetPass
b-5-steal-ca-0-0-1-1-2-0=LetPass b-5-steal-ca-0-0-1-2-0-0=LetPass b-5-steal-ca-0-0-1-2-2-0=LetPass
b-5-steal-ca-0-0-1-2-3-0=Block b-5-steal-ca-0-0-2-1-0-0=Block b-5-steal-ca-0-0-2-2-0-0=Block b-5-steal-ca-0-1-1-1-3-0=Block
b-5-steal-ca-0-1-2-1-0-0=Block b-5-steal-ca-0-1-2-1-2-0=Block b-5-steal-ca-0-1-2-2-0-0=Block b-5-steal-ca-0-1-2-2-2-0=Block
b-5-steal-ca-1-0-1-1-0-0=LetPass b-5-steal-ca-1-0-1-1-3-0=LetPass b-5-steal-ca-1-0-1-2-0-0=LetPass
b-5-steal-ca-1-0-1-2-3-0=Block b-5-steal-ca-1-0-2-1-0-0=LetPass b-5-steal-ca-1-0-2-1-2-0=LetPass
b-5-steal-ca-1-0-2-1-3-0=LetPass b-5-steal-ca-1-1-1-1-0-0=Block b-5-steal-ca-1-1-1-1-2-0=Block b-5-steal-ca-1-1-1-1-3-0=Block
b-5-steal-ca-1-1-2-1-0-0=Block b-5-steal-ca-1-1-2-1-1-0=Block b-5-steal-ca-1-1-2-1-2-0=Block b-5-steal-ca-1-1-2-1-3-0=Block
b-5-steal-ca-1-1-2-2-0-0=Block b-5-steal-ca-1-1-2-2-2-0=Block b-5-steal-ca-2-1-1-1-0-0=Block b-5-steal-ca-2-1-1-1-3-0=Block
b-5-steal-ca-2-1-2-1-0-0=Block b-5-steal-ca-2-1-2-1-2-0=Block c-9-assassination-as-0-0-1-1-0-0=LetPass
c-9-assassination-as-0-0-1-1-1-0=Challenge c-9-assassination-as-0-0-1-1-2-0=Challenge
c-9-assassination-as-0-0-1-2-2-0=Challenge c-9-assassination-as-0-0-2-1-0-0=LetPass c-9-assassination-as-0-1-1-1-0-0=LetPass
c-9-assassination-as-0-1-2-1-0-0=LetPass c-9-assassination-as-1-0-1-1-0-0=Challenge c-9-assassination-as-1-0-1-1-2-0=Challenge
c-9-assassination-as-1-0-2-1-0-0=Challenge c-9-assassination-as-1-1-1-1-0-0=LetPass c-9-assassination-as-1-1-2-1-0-0=LetPass
c-9-exchange-am-0-0-1-1-0-0=LetPass c-9-exchange-am-0-0-1-1-2-0=LetPass c-9-exchange-am-0-0-1-1-3-0=LetPass
c-9-exchange-am-0-0-1-2-0-0=LetPass c-9-exchange-am-0-0-1-2-2-0=LetPass c-9-exchange-am-0-0-1-2-3-0=LetPass
c-9-exchange-am-0-0-2-1-0-0=LetPass c-9-exchange-am-0-0-2-2-0-0=LetPass c-9-exchange-am-0-0-2-2-2-0=Challenge
c-9-exchange-am-1-0-1-1-3-0=LetPass c-9-exchange-am-1-0-1-2-0-0=Challenge c-9-exchange-am-1-0-1-2-2-0=LetPass
c-9-exchange-am-1-0-1-2-3-0=LetPass c-9-exchange-am-1-0-2-1-0-0=LetPass c-9-exchange-am-1-0-2-2-0-0=LetPass
c-9-exchange-am-2-0-2-2-0-0=Challenge c-9-steal-ca-0-0-1-1-0-0=Challenge c-9-steal-ca-0-0-1-1-1-0=LetPass
c-9-steal-ca-0-0-1-1-2-0=LetPass c-9-steal-ca-0-0-1-1-3-0=Challenge c-9-steal-ca-0-0-1-2-0-0=LetPass
c-9-steal-ca-0-0-1-2-2-0=LetPass c-9-steal-ca-0-0-1-2-3-0=LetPass c-9-steal-ca-0-0-2-1-0-0=LetPass
c-9-steal-ca-0-0-2-1-2-0=Challenge c-9-steal-ca-0-0-2-2-0-0=LetPass c-9-steal-ca-0-0-2-2-2-0=Challenge
c-9-steal-ca-0-1-1-1-3-0=LetPass c-9-steal-ca-0-1-2-1-0-0=LetPass c-9-steal-ca-0-1-2-1-2-0=LetPass
c-9-steal-ca-0-1-2-2-0-0=LetPass c-9-steal-ca-0-1-2-2-2-0=LetPass c-9-steal-ca-1-0-1-1-0-0=LetPass
c-9-steal-ca-1-0-1-1-1-0=Challenge c-9-steal-ca-1-0-1-1-2-0=Challenge c-9-steal-ca-1-0-1-1-3-0=LetPass
c-9-steal-ca-1-0-1-2-3-0=LetPass c-9-steal-ca-1-0-2-1-0-0=LetPass c-9-steal-ca-1-0-2-1-2-0=LetPass
c-9-steal-ca-1-0-2-1-3-0=LetPass c-9-steal-ca-1-1-1-1-0-0=LetPass c-9-steal-ca-1-1-1-1-2-0=LetPass
c-9-steal-ca-1-1-1-1-3-0=LetPass c-9-steal-ca-1-1-2-1-0-0=LetPass c-9-steal-ca-1-1-2-1-1-0=LetPass
c-9-steal-ca-1-1-2-1-2-0=LetPass c-9-steal-ca-1-1-2-1-3-0=LetPass c-9-steal-ca-1-1-2-2-0-0=LetPass
c-9-steal-ca-1-1-2-2-2-0=LetPass c-9-steal-ca-2-1-1-1-3-0=LetPass c-9-steal-ca-2-1-2-1-0-0=LetPass
c-9-steal-ca-2-1-2-1-2-0=LetPass c-9-tax-du-0-0-1-1-0-0=LetPass c-9-tax-du-0-0-1-1-2-0=LetPass c-9-tax-du-0-0-1-1-3-0=LetPass
c-9-tax-du-0-0-1-2-0-0=Challenge c-9-tax-du-0-0-1-2-2-0=Challenge c-9-tax-du-0-0-1-2-3-0=Challenge
c-9-tax-du-0-0-2-1-0-0=Challenge c-9-tax-du-0-0-2-1-2-0=Challenge c-9-tax-du-0-0-2-2-0-0=Challenge
c-9-tax-du-0-0-2-2-1-0=Challenge c-9-tax-du-0-0-2-2-2-0=Challenge c-9-tax-du-1-0-1-1-0-0=LetPass c-9-tax-du-1-0-1-1-2-0=LetPass
c-9-tax-du-1-0-1-1-3-0=LetPass c-9-tax-du-1-0-1-2-0-0=LetPass c-9-tax-du-1-0-1-2-2-0=LetPass c-9-tax-du-1-0-1-2-3-0=Challenge
c-9-tax-du-1-0-2-1-0-0=Challenge c-9-tax-du-1-0-2-1-2-0=Challenge c-9-tax-du-1-0-2-2-0-0=Challenge
c-9-tax-du-1-0-2-2-2-0=Challenge c-9-tax-du-2-0-2-1-0-0=LetPass c-9-tax-du-2-0-2-2-0-0=Challenge c-9-tax-du-2-0-2-2-2-0=LetPass
ca012=TakeForeignAid ca013=ClaimExchange ca014=ClaimSteal ca020=ClaimExchange ca022=ClaimExchange ca023=ClaimExchange
ca024=ClaimTax ca112=TakeIncome ca113=TakeForeignAid ca114=ClaimSteal ca122=ClaimExchange ca123=ClaimExchange ca124=ClaimTax
ca210=TakeIncome ca212=ClaimAssassination ca213=ClaimAssassination ca214=ClaimSteal ca220=ClaimTax ca222=ClaimExchange
ca223=ClaimExchange ca224=TakeIncome ca312=ClaimSteal ca313=ClaimAssassination ca314=ClaimSteal ca322=ClaimExchange
caca010=TakeForeignAid caca020=ClaimExchange caca210=TakeForeignAid caco010=TakeForeignAid caco012=TakeIncome
caco013=TakeIncome caco020=TakeForeignAid caco022=TakeIncome caco110=TakeForeignAid caco210=TakeForeignAid
caco220=ClaimAssassination cadu010=ClaimTax cadu012=ClaimTax cadu020=TakeForeignAid cadu022=TakeForeignAid cadu110=ClaimTax
cadu120=ClaimTax cadu210=ClaimTax cadu212=ClaimSteal cadu220=ClaimTax cadu222=ClaimTax cadu223=TakeForeignAid cadu310=ClaimTax
cadu320=ClaimTax cadu410=LaunchCoup co010=ClaimExchange co012=ClaimExchange co013=ClaimExchange co014=ClaimSteal
co020=ClaimSteal co022=ClaimExchange co023=ClaimExchange co112=ClaimTax co113=ClaimExchange co122=ClaimExchange
co123=ClaimExchange co213=ClaimAssassination co220=TakeForeignAid co222=ClaimAssassination co223=ClaimAssassination
co313=ClaimSteal co322=TakeForeignAid co323=ClaimAssassination coco010=ClaimExchange coco020=ClaimTax coco210=TakeForeignAid
coco220=ClaimExchange codu010=TakeIncome codu011=ClaimTax codu012=ClaimTax codu020=ClaimExchange codu022=ClaimTax
codu110=ClaimTax codu112=ClaimTax codu120=ClaimSteal codu210=ClaimTax codu220=ClaimAssassination codu310=ClaimTax
codu410=LaunchCoup du010=ClaimTax du011=ClaimTax du012=ClaimExchange du013=ClaimTax du014=ClaimTax du020=TakeIncome
du022=TakeIncome du023=TakeForeignAid du024=ClaimSteal du112=ClaimSteal du113=ClaimTax du120=TakeIncome du122=ClaimExchange
du123=TakeIncome du124=ClaimSteal du211=ClaimTax du212=TakeForeignAid du213=ClaimAssassination du220=ClaimAssassination
du222=ClaimAssassination du223=ClaimAssassination du224=ClaimSteal du312=ClaimSteal du313=ClaimTax du322=ClaimSteal
du323=TakeIncome du324=ClaimSteal du410=LaunchCoup du420=LaunchCoup dudu010=ClaimTax dudu020=ClaimSteal dudu022=TakeForeignAid
dudu110=ClaimTax dudu210=ClaimTax dudu220=ClaimSteal dudu224=ClaimTax dudu310=ClaimTax
"""
"""The move of each situation."""
