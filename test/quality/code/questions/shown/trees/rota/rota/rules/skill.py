class Skill:
    def allows(self, plan, person, shift) -> bool:
        return shift.skill in person.skills
